import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { lookUpCode, lookUpHash } from '@cairn/core/issue-reports/look-up-code.ts';
import { mayMoveReport, reportMoves, type ReportStatus } from '@cairn/core/issue-reports/report-status.ts';
import { testDevice, type Edit } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
beforeEach(() => db.asAdmin('delete from notifications'));

const states = Object.keys(reportMoves).filter((state): state is ReportStatus => state in reportMoves);
const push = async (person: string, edit: Edit) => (await testDevice(db, person).push(edit))[0];
const rowOf = async (id: string) => (await db.asAdmin('select * from issue_reports where id = $1', [id]))[0];
const refused = { st: 'rejected', code: '42501' };

const reportFields = (fields: Record<string, unknown> = {}) => ({
  organization_id: world.organization,
  site_id: world.north,
  title: 'Oil on the floor',
  reported_at: '2026-11-21T08:00:00Z',
  ...fields,
});
async function reported(fields: Record<string, unknown> = {}, person = world.worker): Promise<string> {
  const id = randomUUID();
  const result = await push(person, { t: 'issue_reports', id, op: 'insert', patch: reportFields(fields) });
  expect(result).toMatchObject({ st: 'applied' });
  return id;
}
async function decide(person: string, id: string, patch: Record<string, unknown>) {
  const row = await rowOf(id);
  const base = Object.fromEntries(Object.keys(patch).map(key => [key, row?.[key] ?? null]));
  return push(person, { t: 'issue_reports', id, op: 'update', patch, base, bv: Number(row?.['version']) });
}
const typesOf = async (person: string) =>
  (await db.asAdmin('select type from notifications where user_id = $1 order by created_at', [person])).map(
    ({ type }) => type,
  );

test('the moves of a report are the same in the database and on the device', async () => {
  for (const from of states)
    for (const to of states) {
      const [row] = await db.asAdmin('select issue.may_move_report($1, $2) as may', [from, to]);
      expect([from, to, row?.['may']]).toEqual([from, to, mayMoveReport(from, to)]);
    }
});

test('a person makes so many reports a day, named or not, and the refusal tells nothing of the others', async () => {
  const [trigger] = await db.asAdmin(
    `select pg_get_triggerdef(oid) as made from pg_trigger where tgname = 'x_bound' and tgrelid = 'issue_reports'::regclass`,
  );
  const bounded = (most: number) =>
    db.asAdmin(
      `drop trigger x_bound on issue_reports; ${String(trigger?.['made']).replace(/limit_reports\('\d+'\)/, `limit_reports('${most}')`)}`,
    );
  const person = world.colleague;
  const sent = (is_anonymous: boolean) => ({
    t: 'issue_reports' as const,
    op: 'insert' as const,
    patch: reportFields({ site_id: world.south, is_anonymous }),
  });
  await bounded(3);
  try {
    for (const is_anonymous of [true, false, true])
      expect(await push(person, sent(is_anonymous))).toMatchObject({ st: 'applied' });
    for (const is_anonymous of [true, false])
      expect(await push(person, sent(is_anonymous))).toMatchObject({ st: 'rejected', code: '23514', reason: 'CN457' });
    // What is sent at once counts too.
    await db.asAdmin(`update sync.mutation set at = now() - interval '25 hours' where user_id = $1`, [person]);
    const results = await testDevice(db, person).push(...Array.from({ length: 5 }, () => sent(false)));
    expect(results.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied', 'rejected', 'rejected']);
  } finally {
    await bounded(100);
  }
});

describe('reporting', () => {
  test('a report keeps its place in words and its asset; once decided, how severe it is and of what kind', async () => {
    const id = await reported({ location: 'Gate 3', reported_at: '2001-01-01T00:00:00Z' });
    expect(Date.parse(String((await rowOf(id))?.['reported_at']))).toBeGreaterThan(Date.now() - 400 * 86_400_000);
    const refused = { st: 'rejected', code: '42501' };
    expect(await decide(world.manager, id, { location: 'Elsewhere' })).toMatchObject(refused);
    expect(await decide(world.manager, id, { asset_id: world.asset })).toMatchObject(refused);
    expect(await decide(world.manager, id, { severity: 'high' })).toMatchObject({ st: 'applied' });
    await decide(world.manager, id, { status: 'triaged' });
    expect(await decide(world.manager, id, { status: 'dismissed', answer: 'No', severity: 'low' })).toMatchObject({
      st: 'applied',
    });
    for (const patch of [{ severity: 'high' }, { category: 'safety' }])
      expect(await decide(world.manager, id, patch)).toMatchObject(refused);
    expect(await decide(world.manager, id, { status: 'triaged', severity: 'high' })).toMatchObject({ st: 'applied' });
  });

  test('a report is begun as reported, by whoever sends it, whatever they write', async () => {
    const forged = {
      status: 'closed',
      answer: 'x',
      decided_by: world.manager,
      reported_by: world.colleague,
    };
    const id = await reported(forged);
    expect(await rowOf(id)).toMatchObject({
      status: 'reported',
      answer: null,
      decided_by: null,
      reported_by: world.worker,
    });
  });

  test('nobody reports at a site they do not belong to, or in another organisation, or by a right they lack', async () => {
    const insert = (patch: Record<string, unknown>): Edit => ({ t: 'issue_reports', op: 'insert', patch });
    expect(await push(world.worker, insert(reportFields({ site_id: world.south })))).toMatchObject(refused);
    expect(await push(world.stranger, insert(reportFields({ site_id: null })))).toMatchObject({ st: 'rejected' });
    expect(await push(world.auditor, insert(reportFields()))).toMatchObject(refused);
  });

  test('without a name nothing names who sent it, not even the photo; with the code they learn what became of it', async () => {
    const media = randomUUID();
    const id = randomUUID();
    const code = lookUpCode(crypto.getRandomValues(new Uint8Array(12)));
    const photo = { mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64), captured_at: '2026-11-21T08:00:00Z' };
    const place = { organization_id: world.organization, site_id: world.north };
    const group = randomUUID();
    const nameless = reportFields({ is_anonymous: true, look_up_hash: lookUpHash(code), media_ids: [media] });
    const results = await testDevice(db, world.worker).push(
      { t: 'media', id: media, op: 'insert', group, patch: { ...place, ...photo, captured_by: world.worker } },
      { t: 'issue_reports', id, op: 'insert', group, patch: nameless },
    );
    expect(results.map(({ st }) => st)).toEqual(['applied', 'applied']);
    const row = await rowOf(id);
    expect(row).toMatchObject({ reported_by: null, is_anonymous: true });
    expect(JSON.stringify(row)).not.toContain(world.worker);
    expect(await db.asAdmin('select captured_by, state from media where id = $1', [media])).toEqual([
      { captured_by: null, state: 'pending' },
    ]);
    expect(await db.asAdmin(`select params from notifications where subject_id = $1 and params ? 'by'`, [id])).toEqual(
      [],
    );

    await decide(world.manager, id, { status: 'triaged' });
    await decide(world.manager, id, { status: 'resolved', answer: 'Mopped up.' });
    const ask = async (typed: string) =>
      (await db.as(null, 'select report_progress($1) as told', [typed]))[0]?.['told'] ?? null;
    expect(await ask(code.toLowerCase().replaceAll('0', 'o'))).toMatchObject({
      status: 'resolved',
      answer: 'Mopped up.',
    });
    expect(Object.keys(Object(await ask(code))).toSorted()).toEqual(['answer', 'decided_at', 'reported_at', 'status']);
    expect(await ask(lookUpHash(code))).toBeNull();
    expect(await ask('')).toBeNull();
  });

  test('where an organisation wants names, a report without one is refused', async () => {
    await db.asAdmin('update organizations set allows_anonymous_reports = false where id = $1', [world.organization]);
    const patch = reportFields({ is_anonymous: true });
    expect(await push(world.worker, { t: 'issue_reports', op: 'insert', patch })).toMatchObject(refused);
    await db.asAdmin('update organizations set allows_anonymous_reports = true where id = $1', [world.organization]);
  });
});

describe('deciding', () => {
  test('only who triages decides; their name stands beside it, and the report stays as it was made', async () => {
    const id = await reported();
    expect(await decide(world.worker, id, { status: 'triaged' })).not.toMatchObject({ st: 'applied' });
    expect(await decide(world.manager, id, { status: 'triaged', decided_by: world.colleague })).toMatchObject({
      st: 'applied',
    });
    expect(await rowOf(id)).toMatchObject({ status: 'triaged', decided_by: world.manager });
    for (const patch of [
      { title: 'Nothing' },
      { description: 'x' },
      { reported_by: world.colleague },
      { media_ids: ['x'] },
    ])
      expect(await decide(world.manager, id, patch)).toMatchObject(refused);
  });

  test('a report makes no move its state does not know, and ends only with a word to its author', async () => {
    const id = await reported();
    expect(await decide(world.manager, id, { status: 'closed' })).toMatchObject({ st: 'rejected', code: '23514' });
    expect(await decide(world.manager, id, { status: 'dismissed' })).toMatchObject({ st: 'rejected', code: '23514' });
    expect(await decide(world.manager, id, { status: 'dismissed', answer: 'Known.' })).toMatchObject({ st: 'applied' });
  });

  test('a report is not moved to a site of another organisation', async () => {
    const id = await reported();
    const elsewhere = randomUUID();
    const [other] = await db.asAdmin(`select id from organizations where name = 'other'`);
    await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [
      elsewhere,
      other?.['id'],
      'Far',
    ]);
    await expect(db.asAdmin('update issue_reports set site_id = $2 where id = $1', [id, elsewhere])).rejects.toThrow(
      'not one of this organisation',
    );
  });
});

describe('telling', () => {
  test('who triages at the place is told, at once where it is critical; the author hears of each step', async () => {
    const id = await reported({ severity: 'critical' });
    expect(await typesOf(world.manager)).toEqual(['issue.critical']);
    expect(await typesOf(world.colleague)).toEqual([]);
    expect(await typesOf(world.worker)).toEqual([]);
    await decide(world.manager, id, { status: 'triaged' });
    expect(await typesOf(world.worker)).toEqual(['issue.progress']);
    const [waiting] = await db.asAdmin('select is_read from notifications where user_id = $1', [world.manager]);
    expect(waiting).toEqual({ is_read: true });
  });
});

describe('assets', () => {
  test('no asset becomes part of itself, also over several steps', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [at, id] of ids.entries()) {
      const patch = {
        organization_id: world.organization,
        site_id: world.north,
        name: `Part ${at}`,
        parent_id: ids[at - 1] ?? null,
      };
      expect(await push(world.manager, { t: 'assets', id, op: 'insert', patch })).toMatchObject({ st: 'applied' });
    }
    const ring: Edit = {
      t: 'assets',
      id: ids[0] ?? '',
      op: 'update',
      patch: { parent_id: ids[2] },
      base: { parent_id: null },
      bv: 1,
    };
    expect(await push(world.manager, ring)).toMatchObject({ st: 'rejected', code: '23514' });
  });

  test('a code and a barcode belong to one asset of an organisation', async () => {
    const add = (patch: Record<string, unknown>) =>
      push(world.manager, {
        t: 'assets',
        op: 'insert',
        patch: { organization_id: world.organization, name: 'A', ...patch },
      });
    expect(await add({ code: 'C-1', barcode: '4006381333931' })).toMatchObject({ st: 'applied' });
    expect(await add({ code: 'C-1' })).toMatchObject({ st: 'rejected', code: '23505' });
    expect(await add({ barcode: '4006381333931' })).toMatchObject({ st: 'rejected', code: '23505' });
  });
});
