import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import type { Json } from '@cairn/schema';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});

const SHA = 'd'.repeat(64);
type Data = Record<string, unknown>;
const fileOf = (id: string, more: Data = {}) => ({
  id,
  sha256: SHA,
  bytes: 2048,
  mime: 'application/pdf',
  name: 'Lockout.pdf',
  pages: 3,
  ...more,
});

/** Announces a file for a policy, as the device of its author does. */
async function announce(person: string, more: Data = {}) {
  const id = randomUUID();
  const fields = { kind: 'file', mime: 'application/pdf', bytes: 2048, sha256: SHA, name: 'Lockout.pdf' };
  const taken = { captured_at: '2026-11-21T08:00:00Z', captured_by: person, audience: 'policy.approve' };
  const patch = { organization_id: world.organization, ...fields, ...taken, ...more };
  const [answer] = await testDevice(db, person).push({ t: 'media', id, op: 'insert', patch });
  return { id, answer };
}
const arrived = (id: string) => db.asAdmin('select media_complete($1, $2, 2048)', [id, SHA]);
const sees = async (person: string, id: string) =>
  (await db.as(person, 'select id from media where id = $1', [id])).length === 1;
/** Whether that person gets the bytes: the storage asks the same. */
async function reads(person: string, id: string): Promise<boolean> {
  const name = `${world.organization}/${id}`;
  return (
    (await db.as(person, `select name from storage.objects where bucket_id = 'media' and name = $1`, [name])).length ===
    1
  );
}
const stored = (id: string) =>
  db.asAdmin(`insert into storage.objects (bucket_id, name) values ('media', $1)`, [`${world.organization}/${id}`]);
const versionOfFile = async (id: string) =>
  Number((await db.asAdmin('select version from media where id = $1', [id]))[0]?.['version']);
const state = async (version: string) =>
  (
    await db.asAdmin('select state, content_hash, title, body, quiz, file from policy_versions where id = $1', [
      version,
    ])
  )[0];
const noFile = { code: '23514', hint: 'file' };

async function filed(title: string) {
  const { id: media } = await announce(world.manager);
  const made = await policies.draft(title, 'Extracted words', { file: fileOf(media), source: 'file' });
  return { ...made, media };
}

describe('the file of a version', () => {
  test('is read by those who read drafts, and from its publishing by everybody of the organisation and nobody else', async () => {
    const { version, media } = await filed('Lockout');
    await stored(media);
    await arrived(media);
    for (const person of [world.manager, world.admin]) {
      expect(await sees(person, media)).toBe(true);
      expect(await reads(person, media)).toBe(true);
    }
    for (const person of [world.worker, world.colleague, world.stranger]) {
      expect(await sees(person, media)).toBe(false);
      expect(await reads(person, media)).toBe(false);
    }
    const worker = testDevice(db, world.worker);
    await worker.pull();
    expect(worker.has('media', media)).toBe(false);
    await policies.publish(version);
    await worker.pull();
    expect(worker.has('media', media)).toBe(true);
    for (const person of [world.manager, world.worker, world.colleague]) expect(await reads(person, media)).toBe(true);
    expect(await reads(world.stranger, media)).toBe(false);
    await expect(db.as(null, 'select id from media')).rejects.toMatchObject({ code: '42501' });
  });

  test('goes out of the sight of an author who may no longer read drafts', async () => {
    const { media } = await filed('Secret');
    await db.asAdmin(`update organization_members set role = 'member' where organization_id = $1 and user_id = $2`, [
      world.organization,
      world.manager,
    ]);
    expect(await sees(world.manager, media)).toBe(false);
    await db.asAdmin(`update organization_members set role = 'manager' where organization_id = $1 and user_id = $2`, [
      world.organization,
      world.manager,
    ]);
    expect(await sees(world.manager, media)).toBe(true);
  });

  test('is brought by authors, and is opened to others by publishing alone', async () => {
    for (const person of [world.worker, world.stranger])
      expect((await announce(person)).answer).toMatchObject({ st: 'rejected' });
    const { id } = await announce(world.manager);
    const device = testDevice(db, world.manager);
    const opened = { audience: null };
    const edit = { t: 'media', id, op: 'update', bv: 1, patch: opened, base: { audience: 'policy.approve' } } as const;
    expect((await device.push(edit))[0]).toMatchObject({ st: 'rejected', code: '42501' });
    expect((await announce(world.manager, { bytes: 30_000_000 })).answer).toMatchObject({ st: 'rejected' });
  });

  test('is part of the hash that people sign', async () => {
    const { policy, version, media } = await filed('Signed');
    await arrived(media);
    await policies.publish(version);
    const row = await state(version);
    const shown = { title: 'Signed', body: 'Extracted words', quiz: null };
    expect(row?.['content_hash']).toBe(policyHash({ ...shown, file: row?.['file'] as Json }));
    expect(row?.['content_hash']).not.toBe(policyHash(shown));
    expect(await policies.acknowledge(version, world.worker, { content_hash: policyHash(shown) })).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.acknowledge(version, world.worker)).toMatchObject({ st: 'applied' });
    const paper = await db.rpc(world.manager, 'acknowledgement_certificate', {
      p_policy: policy,
      p_user: world.worker,
    });
    expect(paper).toMatchObject({ file: { name: 'Lockout.pdf', sha256: SHA } });
  });

  test('has to be here, and be what it says, before anybody is asked', async () => {
    const { version, media } = await filed('Waiting');
    await expect(policies.submit(version)).rejects.toMatchObject(noFile);
    await arrived(media);
    await policies.submit(version);
    for (const more of [{ sha256: 'e'.repeat(64) }, { bytes: 7 }, { id: randomUUID() }]) {
      const { id } = await announce(world.manager);
      await arrived(id);
      const other = await policies.draft('Other', 'x', { file: fileOf(id, more), source: 'file' });
      await expect(policies.submit(other.version)).rejects.toMatchObject(noFile);
    }
    // A file that was brought for something else was looked at by nobody as a document.
    const { id: loose } = await announce(world.manager, { audience: null });
    await arrived(loose);
    const wrong = await policies.draft('Loose', 'x', { file: fileOf(loose), source: 'file' });
    await expect(policies.submit(wrong.version)).rejects.toMatchObject(noFile);
  });

  test('is a PDF or a Word file of a size a phone can read, or is refused', async () => {
    const { id } = await announce(world.manager);
    for (const more of [
      { mime: 'text/html' },
      { mime: 'application/msword' },
      { bytes: 26_214_401 },
      { bytes: '2048' },
      { sha256: 'x' },
      { name: 'a/b.pdf' },
      { pages: 0 },
      { extra: 1 },
    ])
      await expect(policies.draft('Bad', 'x', { file: fileOf(id, more) })).rejects.toThrow('23514');
  });

  test('stays as it was sent for approval: it is neither replaced nor taken away', async () => {
    const { version, media } = await filed('Frozen');
    await arrived(media);
    await policies.submit(version);
    const device = testDevice(db, world.manager);
    const [row] = await db.asAdmin('select version, file from policy_versions where id = $1', [version]);
    const swap = { patch: { file: fileOf(randomUUID()) }, base: { file: row?.['file'] } };
    const edit = { t: 'policy_versions', id: version, op: 'update', bv: Number(row?.['version']), ...swap } as const;
    expect((await device.push(edit))[0]).toMatchObject({ st: 'rejected', code: '42501' });
    const gone = { t: 'media', id: media, op: 'delete', bv: await versionOfFile(media), patch: {}, base: {} } as const;
    expect((await device.push(gone))[0]).toMatchObject({ st: 'rejected', code: '42501' });
  });

  test('is gone on with by the next version, and has words of its own that no variable fills in', async () => {
    const { id: media } = await announce(world.manager);
    await arrived(media);
    const { policy, version } = await policies.draft('Braces', 'Call {{nobody}}', {
      file: fileOf(media),
      source: 'file',
    });
    await policies.publish(version);
    expect(await state(version)).toMatchObject({ state: 'published', body: 'Call {{nobody}}' });
    const next = await policies.next(policy, 'minor', 'Call {{nobody}}', { file: fileOf(media), source: 'file' });
    await policies.publish(next);
    expect(await state(next)).toMatchObject({ state: 'published' });
    expect(await reads(world.worker, media)).toBe(false);
    await stored(media);
    expect(await reads(world.worker, media)).toBe(true);
  });

  test('without words is something to approve; a version without either is not', async () => {
    const { id: media } = await announce(world.manager);
    await arrived(media);
    const scan = await policies.draft('Scan', '', { file: fileOf(media), source: 'file' });
    expect(await policies.publish(scan.version)).toEqual({ major: 1, minor: 0 });
    const nothing = await policies.draft('Nothing', '');
    await expect(policies.submit(nothing.version)).rejects.toMatchObject({ code: '23514', hint: 'empty' });
  });
});
