import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { change } from './edits.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const FORMER = { strokes: [[[1, 1]]], width: 300, height: 100 };
const LATER = { strokes: [[[2, 2]]], width: 300, height: 100 };
const WAS_SIGNED = { signed_by: 'Sam Worker', signed_at: '2026-11-21T08:30:00Z', content_hash: 'a'.repeat(64) };
const IS_SIGNED = { signed_by: 'Sam Worker', signed_at: '2026-11-21T10:30:00Z', content_hash: 'b'.repeat(64) };
let inspection: string;

/** Sent back after it was signed, then signed again over what was corrected. */
beforeEach(async () => {
  inspection = randomUUID();
  const { signed_by, signed_at, content_hash } = WAS_SIGNED;
  const here = [inspection, world.organization, world.north, world.form, world.formVersion, world.worker];
  await db.asAdmin(
    `insert into inspections (id, organization_id, site_id, form_id, form_version_id, conducted_by, status, title, finished_at,
       signature, signed_by, signed_at, content_hash)
     values ($1, $2, $3, $4, $5, $6, 'has_issues', 'Check', $9, $7::text::jsonb, $8, $9, $10)`,
    [...here, JSON.stringify(FORMER), signed_by, signed_at, content_hash],
  );
  const again = await change('inspections', inspection, { status: 'finalised', signature: LATER, ...IS_SIGNED });
  const [answer] = await testDevice(db, world.worker).push(again);
  if (answer?.st !== 'applied') throw new Error(`signing again was answered ${JSON.stringify(answer)}`);
});

const asked = (person: string | null) =>
  db.as(person, `select before, after, by_id from inspection_events where inspection_id = $1 and kind = 'signature'`, [
    inspection,
  ]);
const instant = (at: string) => at.replace('Z', '+00:00');

test('the former signature stays in the log: who conducted it and who reviews it read it, each with the name, account, time and hash it had', async () => {
  const entry = {
    before: { signature: FORMER, ...WAS_SIGNED, signed_account: 'worker', signed_at: instant(WAS_SIGNED.signed_at) },
    after: { signature: LATER, ...IS_SIGNED, signed_account: 'worker', signed_at: instant(IS_SIGNED.signed_at) },
    by_id: world.worker,
  };
  for (const person of [world.worker, world.manager]) expect(await asked(person)).toEqual([entry]);
});

test('a colleague of another site, another organisation and a visitor read nothing of it', async () => {
  expect(await asked(world.colleague)).toEqual([]);
  expect(await asked(world.stranger)).toEqual([]);
  await expect(asked(null)).rejects.toMatchObject({ code: '42501' });
});

test('nobody writes, rewrites or removes it, not through the tables and not through a push', async () => {
  const [row] = await db.asAdmin(`select id from inspection_events where inspection_id = $1 and kind = 'signature'`, [
    inspection,
  ]);
  const id = String(row?.['id']);
  for (const person of [world.worker, world.manager, world.admin, world.colleague, world.stranger]) {
    const forged = `insert into inspection_events (organization_id, inspection_id, kind, after, at) values ($1, $2, 'signature', '{}', now())`;
    await expect(db.as(person, forged, [world.organization, inspection])).rejects.toMatchObject({ code: '42501' });
    for (const write of [
      `update inspection_events set before = null where id = $1`,
      `delete from inspection_events where id = $1`,
    ])
      await expect(db.as(person, `${write} returning id`, [id]).catch(codeOf)).resolves.toSatisfy(isNothing);
    const edits = [
      { t: 'inspection_events', op: 'update', id, bv: 1, patch: { before: null }, base: { before: {} } },
      { t: 'inspection_events', op: 'delete', id, bv: 1 },
    ] as const;
    for (const edit of edits) expect(await testDevice(db, person).push(edit)).not.toMatchObject([{ v: 2 }]);
  }
  expect(await asked(world.worker)).toHaveLength(1);
});

const codeOf = (error: { code: string }): string => error.code;
/** Refused outright, or no row of theirs to write. */
const isNothing = (answer: unknown): boolean => answer === '42501' || (Array.isArray(answer) && answer.length === 0);

test('signing the first time, and a correction without another signature, log none', async () => {
  const id = randomUUID();
  const check = { organization_id: world.organization, site_id: world.north, form_id: world.form, title: 'Check' };
  const patch = { ...check, form_version_id: world.formVersion, conducted_by: world.worker, status: 'in_progress' };
  const device = testDevice(db, world.worker);
  await device.push({ t: 'inspections', op: 'insert', id, patch });
  await device.push(await change('inspections', id, { status: 'finalised', signature: FORMER, ...WAS_SIGNED }));
  await testDevice(db, world.manager).push(await change('inspections', id, { status: 'has_issues' }));
  await device.push(await change('inspections', id, { status: 'finalised' }));
  const kinds = await db.asAdmin(
    'select kind, after from inspection_events where inspection_id = $1 order by created_at',
    [id],
  );
  expect(kinds.map(({ kind }) => kind)).not.toContain('signature');
  expect(kinds.filter(({ after }) => after === 'finalised')).toHaveLength(2);
});
