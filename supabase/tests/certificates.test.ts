import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { acknowledgementId } from '@cairn/core/policies/acknowledge.ts';
import { certificateOf, type Certificate } from '@cairn/core/policies/certificate.ts';
import type { OpenedPolicy } from '@cairn/core/policies/queries.ts';
import type { Row } from '@cairn/schema';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});

const CODE = /^[0-9A-HJKMNP-TV-Z]{28}$/;
const FORGED = 'A'.repeat(28);
const acknowledgementOf = async (version: string, person: string): Promise<Record<string, unknown>> => {
  const asked = 'select * from policy_acknowledgements where version_id = $1 and user_id = $2';
  return (await db.asAdmin(asked, [version, person]))[0] ?? {};
};
const codeOf = async (version: string, person: string) =>
  String((await acknowledgementOf(version, person))['certificate_code']);
const verify = (code: unknown, by: string | null = null) =>
  db.rpc<Record<string, unknown> | null>(by, 'verify_certificate', { p_code: code });
const certificate = (by: string | null, policy: string, person: string, major: number | null = null) =>
  db.rpc<Certificate | null>(by, 'acknowledgement_certificate', { p_policy: policy, p_user: person, p_major: major });
const declined = { state: 'declined', method: null, signed_name: null, reason: 'Unclear' };

/** One more change of a word from its person's device. */
async function edit(version: string, person: string, patch: Record<string, unknown>) {
  const row = await acknowledgementOf(version, person);
  const base = Object.fromEntries(Object.keys(patch).map(key => [key, row[key] ?? null]));
  const id = acknowledgementId(version, person);
  return testDevice(db, person).push({
    t: 'policy_acknowledgements',
    op: 'update',
    id,
    patch,
    base,
    bv: Number(row['version']),
  });
}

describe('the code of a certificate', () => {
  test('comes with the word that is received and signed, reaches its device, and no other word has one', async () => {
    const { version } = await policies.inForce('Coded');
    expect(await policies.acknowledge(version, world.worker, { state: 'opened', decided_at: null })).toMatchObject({
      st: 'applied',
    });
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      certificate_code: null,
      requested_at: null,
    });
    const [acknowledgement] = await edit(version, world.worker, {
      state: 'acknowledged',
      decided_at: new Date().toISOString(),
    });
    expect(acknowledgement).toMatchObject({ st: 'applied', d: { certificate_code: expect.stringMatching(CODE) } });
    await policies.acknowledge(version, world.colleague, declined);
    expect(await acknowledgementOf(version, world.colleague)).toMatchObject({ certificate_code: null });
    await edit(version, world.colleague, { state: 'acknowledged', method: 'typed', signed_name: 'Kim' });
    expect(await codeOf(version, world.colleague)).toMatch(CODE);
  });

  test('is made by the server alone: no device gives, changes or takes one, nor the time at which it was asked', async () => {
    const { version } = await policies.inForce('Forged');
    const forged = { certificate_code: FORGED, requested_at: '2026-01-01T00:00:00Z' };
    await policies.acknowledge(version, world.worker, forged);
    const code = await codeOf(version, world.worker);
    expect(code).toMatch(CODE);
    expect(code).not.toBe(FORGED);
    await edit(version, world.worker, forged);
    await edit(version, world.worker, { certificate_code: null });
    for (const person of [world.worker, world.admin, world.stranger])
      await db.as(person, 'update policy_acknowledgements set certificate_code = $1', [FORGED]).catch(() => undefined);
    // Nor does anything the server does to the row later.
    await db.asAdmin(`update policy_acknowledgements set certificate_code = null, signed_name = signed_name`);
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      certificate_code: code,
      requested_at: null,
    });
    await policies.acknowledge(version, world.colleague, { ...declined, ...forged });
    expect(await acknowledgementOf(version, world.colleague)).toMatchObject({ certificate_code: null });
    const give = 'update policy_acknowledgements set certificate_code = $1, requested_at = now() where user_id = $2';
    await db.asAdmin(give, [FORGED, world.colleague]);
    expect(await acknowledgementOf(version, world.colleague)).toMatchObject({
      certificate_code: null,
      requested_at: null,
    });
  });

  test('is one of 2^140: each of its letters takes every value, none comes twice, and it follows from nothing else', async () => {
    const rows = await db.asAdmin('select policy.new_certificate_code() as code from generate_series(1, 2000)');
    const codes = rows.map(row => String(row['code']));
    expect(codes.every(code => CODE.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(2000);
    for (let at = 0; at < 28; at += 1) expect(new Set(codes.map(code => code[at])).size).toBe(32);
    // The same word, were it received again, would have another.
    const { version } = await policies.inForce('Again');
    await policies.acknowledge(version, world.worker);
    const first = await codeOf(version, world.worker);
    await db.asAdmin('delete from policy_acknowledgements where version_id = $1', [version]);
    await policies.acknowledge(version, world.worker);
    expect(await codeOf(version, world.worker)).not.toBe(first);
    await expect(db.as(world.worker, 'select policy.new_certificate_code()')).rejects.toMatchObject({ code: '42501' });
  });

  test('is read by whoever may read the word, and by nobody else', async () => {
    const { version } = await policies.inForce('Read');
    await policies.acknowledge(version, world.worker);
    const code = await codeOf(version, world.worker);
    const read = (person: string | null) =>
      db.as(person, 'select certificate_code from policy_acknowledgements where version_id = $1', [version]);
    expect(await read(world.worker)).toEqual([{ certificate_code: code }]);
    for (const person of [world.colleague, world.manager, world.admin, world.auditor, world.stranger])
      expect(await read(person)).toEqual([]);
    await expect(read(null)).rejects.toMatchObject({ code: '42501' });
  });

  test('belongs to companies: a promise to oneself has none', async () => {
    const [privateSpace] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.worker,
    ]);
    const own = new PolicyFixture(db, { ...world, organization: String(privateSpace?.['id']), manager: world.worker });
    const { version } = await own.draft('I stop before I am tired');
    await db.rpc(world.worker, 'publish_policy_version', { p_version: version });
    await own.acknowledge(version, world.worker);
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      state: 'acknowledged',
      certificate_code: null,
    });
  });

  test('is given by the migration to words that are there already, and only to signed ones', async () => {
    const { policy, version } = await policies.inForce('Before');
    await policies.acknowledge(version, world.worker);
    await policies.acknowledge(version, world.colleague, declined);
    const without = async (run: () => Promise<unknown>) => {
      await db.asAdmin('alter table policy_acknowledgements disable trigger d_certificate');
      await run();
      await db.asAdmin('alter table policy_acknowledgements enable trigger d_certificate');
    };
    await without(() =>
      db.asAdmin('update policy_acknowledgements set certificate_code = null where version_id = $1', [version]),
    );
    // Asked for after it was given: that is not why they signed.
    await policies.ask(policy);
    const backfill = `update policy_acknowledgements set certificate_code = null
      where certificate_code is null and method is not null and received_at is not null`;
    await db.asAdmin(backfill);
    expect(await codeOf(version, world.worker)).toMatch(CODE);
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({ requested_at: null });
    expect(await acknowledgementOf(version, world.colleague)).toMatchObject({ certificate_code: null });
    const mine = await codeOf(version, world.worker);
    await db.asAdmin(backfill);
    expect(await codeOf(version, world.worker)).toBe(mine);
  });
});

describe('whoever holds a code', () => {
  test('is told exactly what stands on the certificate, signed in or not, and whether it counts', async () => {
    const { policy, version } = await policies.inForce('Verified');
    await policies.acknowledge(version, world.worker);
    const code = await codeOf(version, world.worker);
    const [shown] = await db.asAdmin('select content_hash from policy_versions where id = $1', [version]);
    const row = await acknowledgementOf(version, world.worker);
    const told = {
      organization: 'acme',
      title: 'Verified',
      version: '1.0',
      content_hash: shown?.['content_hash'],
      received_at: expect.any(String),
      status: 'in_force',
      name: 'Sam Worker',
      account_name: row['account_name'],
    };
    for (const person of [null, world.worker, world.colleague, world.stranger])
      expect(await verify(code, person)).toEqual(told);
    const received = String((await verify(code))?.['received_at']);
    expect(new Date(received)).toEqual(row['received_at']);

    const minor = await policies.next(policy, 'minor', 'Verified, a comma moved');
    await policies.publish(minor);
    expect(await verify(code)).toEqual(told);
    await db.rpc(world.manager, 'archive_policy', { p_policy: policy });
    expect(await verify(code)).toEqual({ ...told, status: 'archived' });
    await db.rpc(world.manager, 'archive_policy', { p_policy: policy, p_archived: false });
    await policies.publish(await policies.next(policy, 'major', 'Verified, all new'));
    expect(await verify(code)).toEqual({ ...told, status: 'superseded' });
    await policies.acknowledge(version, world.colleague);
    expect(await verify(await codeOf(version, world.colleague))).toEqual({
      ...told,
      account_name: 'colleague',
      status: 'void',
    });
  });

  test('is told no name once the account is gone, and nothing of an organisation that is', async () => {
    const { version } = await policies.inForce('Gone');
    await policies.acknowledge(version, world.worker);
    const code = await codeOf(version, world.worker);
    await db.asAdmin('update policy_acknowledgements set user_id = null where version_id = $1', [version]);
    expect(await verify(code)).toMatchObject({ title: 'Gone', name: null });
    await db.asAdmin('update organizations set deleted_at = now() where id = $1', [world.organization]);
    expect(await verify(code)).toBeNull();
    await db.asAdmin('update organizations set deleted_at = null where id = $1', [world.organization]);
  });

  test('is told no name, but that it counts, once whoever signed ended their account', async () => {
    const { policy, version } = await policies.inForce('Outlives');
    await policies.ask(policy);
    const leaver = await db.person(`${randomUUID()}@a.test`);
    const here = 'insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)';
    await db.asAdmin(here, [world.organization, leaver, 'member']);
    await policies.acknowledge(version, leaver);
    const before = await acknowledgementOf(version, leaver);
    await db.asAdmin('select delete_account($1)', [leaver]);

    const { name: _name, account_name: _account, ...proof } = Object(await verify(before['certificate_code']));
    expect(proof).toMatchObject({ title: 'Outlives', status: 'in_force', content_hash: before['content_hash'] });
    expect(await verify(before['certificate_code'])).toMatchObject({ name: null, account_name: null });
    const { account_name: _kept, updated_at: _at, version: _row, ...signed } = before;
    expect(await acknowledgementOf(version, leaver)).toMatchObject({ ...signed, account_name: null, deleted_at: null });
    const report = await db.rpc<{ people: Record<string, unknown>[] }>(world.manager, 'policy_acknowledgement_report', {
      p_policy: policy,
    });
    expect(report.people).toContainEqual(
      expect.objectContaining({ user_id: leaver, state: 'acknowledged', signed_name: 'Sam Worker' }),
    );
    expect(await certificate(world.manager, policy, leaver)).toMatchObject({ code: before['certificate_code'] });
  });

  test('guesses nothing: every other code, id, hash or pattern gets the same answer', async () => {
    const { policy, version } = await policies.inForce('Guessed');
    await policies.acknowledge(version, world.worker);
    await policies.acknowledge(version, world.colleague, declined);
    const code = await codeOf(version, world.worker);
    const row = await acknowledgementOf(version, world.worker);
    const patterns = [null, '', ' ', '%', '_'.repeat(28), `${code.slice(0, 27)}%`, `' or true --`, 'x'.repeat(100_000)];
    const near = [code.slice(1), `${code}0`, ` ${code}`, code.toLowerCase(), FORGED];
    const ids = [policy, version, row['id'], world.worker, row['content_hash']];
    for (const guess of [...patterns, ...near, ...ids])
      for (const person of [null, world.stranger, world.colleague]) expect(await verify(guess, person)).toBeNull();
    expect(await verify(code)).not.toBeNull();
  });
});

/** What the person's own device has of a policy, as its screen reads it. */
async function ownCertificate(policyId: string, version: string): Promise<Certificate | null> {
  const device = testDevice(db, world.worker);
  await device.pull();
  const rows = (table: string) =>
    [...device.rows].filter(([key]) => key.startsWith(`${table}/`)).map(([, { row }]) => row);
  const published = rows('policy_versions').filter(row => row['policy_id'] === policyId && row['major'] !== null);
  const policy = { archived_at: null, ...rows('policies').find(row => row['id'] === policyId) };
  const ownRow = rows('policy_acknowledgements').find(row => row['version_id'] === version);
  const nulled = { signature: null, requested_at: null, ...ownRow } as unknown as Row<'policy_acknowledgements'>;
  return certificateOf(nulled, { policy, published, words: [] } as unknown as OpenedPolicy, 'acme');
}

const instants = (found: Certificate | null) =>
  found &&
  Object.fromEntries(
    Object.entries(found).map(([key, value]) => [
      key,
      key.endsWith('_at') && typeof value === 'string' ? Math.floor(Date.parse(value)) : value,
    ]),
  );

describe('the certificate of somebody else', () => {
  test('is for whoever may see the report, and says what the person saves themselves', async () => {
    const { policy, version } = await policies.inForce('Alike');
    await policies.ask(policy);
    const drawn = {
      method: 'drawn',
      signature: {
        width: 4,
        height: 2,
        strokes: [
          [
            [0, 1],
            [3, 1],
          ],
        ],
      },
    };
    await policies.acknowledge(version, world.worker, { ...drawn, sections: 3, sections_read: 2 });
    for (const state of ['in_force', 'archived', 'superseded'] as const) {
      if (state === 'archived') await db.rpc(world.manager, 'archive_policy', { p_policy: policy });
      if (state === 'superseded') {
        await db.rpc(world.manager, 'archive_policy', { p_policy: policy, p_archived: false });
        await policies.publish(await policies.next(policy, 'major', 'Alike, new'));
      }
      const own = await ownCertificate(policy, version);
      expect(own).toMatchObject({
        status: state,
        signed_name: 'Sam Worker',
        requested_at: expect.any(String),
        ...drawn,
      });
      for (const person of [world.admin, world.manager, world.auditor])
        expect(instants(await certificate(person, policy, world.worker, 1))).toEqual(instants(own));
    }
    expect((await ownCertificate(policy, version))?.replaced_at).toEqual(expect.any(String));
  });

  test('is nobody else’s: not a colleague’s, another organisation’s or a visitor’s', async () => {
    const { policy, version } = await policies.inForce('Theirs');
    await policies.acknowledge(version, world.worker);
    for (const person of [world.worker, world.colleague, world.stranger, null])
      await expect(certificate(person, policy, world.worker)).rejects.toMatchObject({ code: '42501' });
    for (const [who, major] of [
      [world.colleague, null],
      [world.worker, 7],
    ] as const)
      expect(await certificate(world.manager, policy, who, major)).toBeNull();
  });

  test('is for whoever is limited to their own sites only where the report names the person', async () => {
    const { policy, version } = await policies.inForce('There');
    await policies.ask(policy);
    await policies.acknowledge(version, world.worker);
    const limit = 'update organization_members set site_limited = $3 where organization_id = $1 and user_id = $2';
    const add = 'insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3) returning id';
    await db.asAdmin(limit, [world.organization, world.auditor, true]);
    const named = async () => {
      const report = await db.rpc<{ people: { user_id: string }[] }>(world.auditor, 'policy_acknowledgement_report', {
        p_policy: policy,
      });
      return report.people.some(person => person.user_id === world.worker);
    };
    for (const [site, isTold] of [
      [world.south, false],
      [world.north, true],
    ] as const) {
      const [row] = await db.asAdmin(add, [world.organization, site, world.auditor]);
      const found = await certificate(world.auditor, policy, world.worker);
      expect([await named(), found !== null]).toEqual([isTold, isTold]);
      await db.asAdmin('delete from site_members where id = $1', [row?.['id']]);
    }
    await db.asAdmin(limit, [world.organization, world.auditor, false]);
  });

  test('says since when it was asked for, as it was when the word arrived; not where it was asked for later', async () => {
    const { policy, version } = await policies.inForce('Asked');
    await policies.acknowledge(version, world.colleague);
    await policies.ask(policy);
    await policies.acknowledge(version, world.worker);
    const [campaign] = await db.asAdmin('select starts_at from acknowledgement_campaigns where policy_id = $1', [
      policy,
    ]);
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({ requested_at: campaign?.['starts_at'] });
    expect(await acknowledgementOf(version, world.colleague)).toMatchObject({ requested_at: null });
    await db.asAdmin(`update acknowledgement_campaigns set state = 'ended' where policy_id = $1`, [policy]);
    expect((await certificate(world.manager, policy, world.worker))?.requested_at).not.toBeNull();
  });
});
