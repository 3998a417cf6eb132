import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { evidenceMoves, type EvidenceState } from '@cairn/core/evidence/evidence-states.ts';
import { testDevice, type Edit } from './device.ts';
import { push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

type Data = Record<string, unknown>;

setUpWorld();

const row = async (id: string) => (await db.asAdmin('select * from evidence where id = $1', [id]))[0] ?? {};

function adding(id: string, more: Data = {}): Edit {
  const base = { organization_id: world.organization, series_id: id, title: 'Drill' };
  return { t: 'evidence', op: 'insert', id, patch: { ...base, collected_at: '2026-11-21T08:00:00Z', ...more } };
}

async function added(person: string, more: Data = {}): Promise<string> {
  const id = randomUUID();
  expect(await push(person, adding(id, more))).toMatchObject([{ st: 'applied' }]);
  return id;
}

async function edit(person: string, id: string, patch: Data) {
  const before = await row(id);
  const base = Object.fromEntries(Object.keys(patch).map(key => [key, before[key] ?? null]));
  return (await push(person, { t: 'evidence', op: 'update', id, patch, base, bv: Number(before['version']) }))[0];
}

const file = (id: string, more: Data = {}): Edit => ({
  t: 'media',
  op: 'insert',
  id,
  patch: {
    organization_id: world.organization,
    audience: 'evidence.read',
    kind: 'file',
    mime: 'application/pdf',
    bytes: 3,
    sha256: 'b'.repeat(64),
    captured_at: '2026-11-21T08:00:00Z',
    captured_by: world.worker,
    ...more,
  },
});

test('the moves of evidence are the same in the database and on the device', async () => {
  const states = Object.keys(evidenceMoves).filter((state): state is EvidenceState => state in evidenceMoves);
  for (const from of states)
    for (const to of states) {
      const [found] = await db.asAdmin('select compliance.evidence_may_become($1, $2) as may', [from, to]);
      expect([from, to, found?.['may']]).toEqual([from, to, from === to || evidenceMoves[from].includes(to)]);
    }
});

describe('who sees it', () => {
  test('its maker, its owner and readers of evidence, with its files; no colleague, no stranger', async () => {
    const media = randomUUID();
    expect(await push(world.worker, file(media))).toMatchObject([{ st: 'applied' }]);
    const id = await added(world.worker, { media_ids: [media] });
    for (const [who, sees] of [
      ['worker', true],
      ['manager', true],
      ['auditor', true],
      ['colleague', false],
      ['stranger', false],
    ] as const) {
      const device = testDevice(db, world[who]);
      await device.pull();
      expect([who, device.has('evidence', id), device.has('media', media)]).toEqual([who, sees, sees]);
    }
    await edit(world.worker, id, { owner_id: world.colleague });
    const owner = testDevice(db, world.colleague);
    await owner.pull();
    expect(owner.has('evidence', id)).toBe(true);
  });

  test('a file keeps its audience', async () => {
    const media = randomUUID();
    await push(world.worker, file(media));
    const change: Edit = {
      t: 'media',
      op: 'update',
      id: media,
      bv: 1,
      patch: { audience: null },
      base: { audience: 'evidence.read' },
    };
    expect(await push(world.worker, change)).toMatchObject([{ st: 'rejected', code: '42501' }]);
    const hidden = file(randomUUID(), { inspection_id: world.inspection });
    expect(await push(world.worker, hidden)).toMatchObject([{ st: 'rejected' }]);
    expect(await push(world.worker, file(randomUUID(), { audience: 'people.manage' }))).toMatchObject([
      { st: 'rejected' },
    ]);
  });
});

describe('what a device says and what the server says', () => {
  test('a device sets neither state nor review nor when it was received', async () => {
    const forged = {
      state: 'accepted',
      reviewed_by: world.worker,
      reviewed_at: '2020-01-01T00:00:00Z',
      received_at: '2020-01-01T00:00:00Z',
    };
    const id = await added(world.worker, { ...forged, effective_on: '2020-01-01', revision: 9 });
    const stored = await row(id);
    expect(stored).toMatchObject({
      state: 'collected',
      reviewed_by: null,
      reviewed_at: null,
      revision: 1,
      created_by: world.worker,
    });
    expect(
      Date.now() -
        Date.parse(
          String(stored['received_at'] instanceof Date ? stored['received_at'].toISOString() : stored['received_at']),
        ),
    ).toBeLessThan(60_000);
    await edit(world.worker, id, { received_at: '2020-01-01T00:00:00Z', title: 'New' });
    expect((await row(id))['received_at']).toEqual(stored['received_at']);
  });

  test('a time that ends before it begins is refused, as is an owner from elsewhere', async () => {
    for (const more of [
      { period_from: '2026-02-01', period_to: '2026-01-01' },
      { effective_on: '2026-02-01', expires_on: '2026-01-01' },
      { expires_on: '2300-01-01' },
      { owner_id: world.stranger },
    ])
      expect((await push(world.worker, adding(randomUUID(), more)))[0]?.st).toBe('rejected');
  });

  test('auditors and strangers add nothing', async () => {
    for (const person of [world.auditor, world.stranger])
      expect(await push(person, adding(randomUUID()))).toMatchObject([{ st: 'rejected', code: '42501' }]);
  });
});

describe('review', () => {
  test('a reviewer accepts; the server says who and when, and what was accepted stays', async () => {
    const id = await added(world.worker);
    expect(await edit(world.manager, id, { state: 'accepted' })).toMatchObject({ st: 'applied' });
    expect(await row(id)).toMatchObject({ state: 'accepted', reviewed_by: world.manager });
    for (const patch of [
      { title: 'Other' },
      { media_ids: [randomUUID()] },
      { expires_on: '2030-01-01' },
      { state: 'collected' },
    ])
      for (const person of [world.worker, world.manager]) expect((await edit(person, id, patch))?.st).toBe('rejected');
    expect(
      (await push(world.worker, { t: 'evidence', op: 'delete', id, bv: Number((await row(id))['version']) }))[0]?.st,
    ).toBe('rejected');
  });

  test('nobody accepts their own while another could, nor makes it somebody else’s to do so; a member accepts nothing', async () => {
    const own = await added(world.manager);
    expect(await edit(world.manager, own, { state: 'accepted' })).toMatchObject({ st: 'rejected', code: '42501' });
    const given = await added(world.worker, { owner_id: world.manager });
    expect(await edit(world.manager, given, { state: 'accepted', owner_id: world.worker })).toMatchObject({
      st: 'rejected',
    });
    expect(await edit(world.worker, given, { state: 'accepted' })).toMatchObject({ st: 'rejected', code: '42501' });
    expect(await edit(world.admin, given, { state: 'accepted' })).toMatchObject({ st: 'applied' });
  });

  test('sent back it needs a reason, its maker is told, mends it and it waits again', async () => {
    const id = await added(world.worker);
    expect((await edit(world.manager, id, { state: 'sent_back' }))?.st).toBe('rejected');
    expect((await edit(world.manager, id, { state: 'sent_back', review_note: 'Page 2 is missing' }))?.st).toBe(
      'applied',
    );
    const told = await db.asAdmin(`select type from notifications where user_id = $1 and subject_id = $2`, [
      world.worker,
      id,
    ]);
    expect(told).toEqual([{ type: 'evidence.sent_back' }]);
    expect((await edit(world.worker, id, { state: 'collected', title: 'With page 2' }))?.st).toBe('applied');
    expect(await row(id)).toMatchObject({ state: 'collected', title: 'With page 2' });
  });

  test('the log keeps the hashes of the files a decision was about, and no title', async () => {
    const media = randomUUID();
    await push(world.worker, file(media, { sha256: 'c'.repeat(64) }));
    const id = await added(world.worker, { media_ids: [media], title: 'Payroll of Sam' });
    await edit(world.manager, id, { state: 'accepted' });
    const entries = await db.asAdmin(
      'select act, actor_id, detail from audit_entries where subject_id = $1 order by seq',
      [id],
    );
    expect(entries).toMatchObject([
      { act: 'evidence.collected', actor_id: world.worker },
      { act: 'evidence.accepted', actor_id: world.manager, detail: { files: 1, sha256: ['c'.repeat(64)] } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Payroll');
  });
});

describe('revisions', () => {
  test('are counted as they arrive, however many devices make them, and the accepted one takes the place of the other', async () => {
    const first = await added(world.worker);
    await edit(world.manager, first, { state: 'accepted' });
    const later = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all(later.map(id => push(world.worker, adding(id, { series_id: first }))));
    const numbers = await Promise.all(later.map(async id => Number((await row(id))['revision'])));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4]);
    await edit(world.manager, String(later[1]), { state: 'accepted' });
    expect(await row(first)).toMatchObject({ state: 'superseded' });
    expect(await row(String(later[1]))).toMatchObject({ state: 'accepted' });
    expect(await row(String(later[0]))).toMatchObject({ state: 'collected' });
  });

  test('two that are accepted in one push end as in two: the later one counts', async () => {
    const outcomes = [];
    for (const isOnePush of [true, false]) {
      const first = await added(world.worker);
      const series = [first, randomUUID(), randomUUID()];
      for (const id of series.slice(1)) await push(world.worker, adding(id, { series_id: first }));
      await edit(world.manager, first, { state: 'accepted' });
      const accepting = series.slice(1).map((id): Edit => {
        const words = { patch: { state: 'accepted' }, base: { state: 'collected' }, bv: 1 };
        return { t: 'evidence', op: 'update', id, ...words };
      });
      const pushes = isOnePush ? [accepting] : accepting.map(one => [one]);
      for (const edits of pushes) await push(world.manager, ...edits);
      const rows = await Promise.all(series.map(row));
      outcomes.push(rows.map(({ state, version }) => ({ state, version: Number(version) })));
    }
    const [together, apart] = outcomes;
    expect(together?.map(({ state }) => state)).toEqual(['superseded', 'superseded', 'accepted']);
    expect(together).toEqual(apart);
  });

  test('a series somebody does not see is to them as none', async () => {
    const hidden = await added(world.manager);
    for (const series of [hidden, randomUUID()])
      expect(await push(world.worker, adding(randomUUID(), { series_id: series }))).toMatchObject([
        { st: 'rejected', code: '23503' },
      ]);
  });
});

test('whoever takes evidence along leaves the hash of the manifest in the log; others cannot', async () => {
  const asked = { p_organization: world.organization, p_sha256: 'd'.repeat(64), p_files: 3 };
  await db.rpc(world.auditor, 'note_evidence_pack', asked);
  const [entry] = await db.asAdmin(
    `select actor_id, detail from audit_entries where act = 'evidence.exported' and organization_id = $1`,
    [world.organization],
  );
  expect(entry).toEqual({ actor_id: world.auditor, detail: { files: 3, sha256: 'd'.repeat(64) } });
  for (const person of [world.worker, world.stranger, null])
    await expect(db.rpc(person, 'note_evidence_pack', asked)).rejects.toMatchObject({ code: '42501' });
  const bad = { ...asked, p_sha256: 'words' };
  await expect(db.rpc(world.auditor, 'note_evidence_pack', bad)).rejects.toMatchObject({ code: '22023' });
});

describe('links', () => {
  test('of decided evidence stand in the log as they come and go', async () => {
    const id = await added(world.worker);
    await edit(world.manager, id, { state: 'accepted' });
    const link = {
      organization_id: world.organization,
      evidence_id: id,
      target_table: 'policies',
      target_id: world.policy,
    };
    const linking: Edit = { t: 'evidence_links', op: 'insert', id: randomUUID(), patch: link };
    expect(await push(world.admin, linking)).toMatchObject([{ st: 'applied' }]);
    await db.asAdmin('update evidence_links set deleted_at = now() where evidence_id = $1', [id]);
    const log = await db.asAdmin(
      `select act, actor_id, detail from audit_entries where subject_id = $1 and act like 'evidence.%linked' order by seq`,
      [id],
    );
    expect(log).toMatchObject([
      { act: 'evidence.linked', actor_id: world.admin, detail: { table: 'policies', id: world.policy } },
      { act: 'evidence.unlinked' },
    ]);
  });

  const link = (evidence: string, table: string, target: string): Edit => ({
    t: 'evidence_links',
    op: 'insert',
    patch: { organization_id: world.organization, evidence_id: evidence, target_table: table, target_id: target },
  });
  test('lead to what the person sees, of the same organisation, and to nothing else', async () => {
    const id = await added(world.worker);
    expect(
      await push(
        world.worker,
        link(id, 'policies', world.policy),
        link(id, 'inspections', world.inspection),
        link(id, 'action_items', world.action),
      ),
    ).toMatchObject([{ st: 'applied' }, { st: 'applied' }, { st: 'applied' }]);
    for (const [table, target] of [
      ['policies', randomUUID()],
      ['policies', world.inspection],
      ['organization_members', world.organization],
    ] as const)
      expect((await push(world.worker, link(id, table, target)))[0]?.st).toBe('rejected');
    const elsewhere = await added(world.colleague);
    // The inspection stands at North, where the colleague does not work.
    expect((await push(world.colleague, link(elsewhere, 'inspections', world.inspection)))[0]).toMatchObject({
      st: 'rejected',
      code: '23503',
    });
    expect((await push(world.colleague, link(id, 'policies', world.policy)))[0]).toMatchObject({
      st: 'rejected',
      code: '23503',
    });
  });
});

test('whoever answers for it is told 30 days and 7 days before its last day and once it has run out, once each', async () => {
  const id = await added(world.worker, { expires_on: '2027-03-31' });
  await edit(world.manager, id, { state: 'accepted' });
  const heard = async (day: string) => {
    await db.asAdmin(`select compliance.sweep_evidence($1)`, [`${day}T12:00:00Z`]);
    await db.asAdmin(`select compliance.sweep_evidence($1)`, [`${day}T12:01:00Z`]);
    const rows = await db.asAdmin(`select type from notifications where subject_id = $1 order by created_at, key`, [
      id,
    ]);
    return rows.map(({ type }) => type);
  };
  expect(await heard('2027-02-28')).toEqual([]);
  expect(await heard('2027-03-01')).toEqual(['evidence.expiring']);
  expect(await heard('2027-03-24')).toEqual(['evidence.expiring', 'evidence.expiring']);
  expect(await heard('2027-03-31')).toHaveLength(2);
  expect(await heard('2027-04-01')).toEqual(['evidence.expiring', 'evidence.expiring', 'evidence.expired']);
  const [open] = await db.asAdmin(
    `select count(*)::int as n from notifications where subject_id = $1 and not is_read`,
    [id],
  );
  expect(open?.['n']).toBe(1);
});
