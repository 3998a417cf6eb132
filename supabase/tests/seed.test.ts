import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import { parseFormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';

const FOLDER = fileURLToPath(new URL('../seed', import.meta.url));
const person = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const ORGANIZATION = '00000000-0000-4000-8000-0000000000a1';

let db: TestDatabase;

async function run(file: string): Promise<void> {
  const sql = postgres(db.url, { max: 1, onnotice: () => {} });
  await sql.begin(async tx => {
    await tx.unsafe('set local role cairn_migrator');
    await tx.unsafe(readFileSync(`${FOLDER}/${file}`, 'utf8'));
  });
  await sql.end();
}

beforeAll(async () => {
  db = await freshDatabase();
  for (const [index, name] of ['Alex Admin', 'Mara Manager', 'Sam Worker', 'Pia Person'].entries()) {
    await db.asAdmin('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)', [
      person(index + 1),
      `${index}@demo.cairn.test`,
      { full_name: name },
    ]);
  }
  for (const file of readdirSync(FOLDER)
    .filter(name => /^\d/.test(name))
    .toSorted())
    await run(file);
  await run('daily.sql');
});
afterAll(() => db.drop());

test('the seeded form can be read and has 12 questions', async () => {
  const [row] = await db.asAdmin('select definition from form_versions');
  const parsed = parseFormDefinition(row?.['definition']);
  expect(parsed).toMatchObject({ ok: true });
  const sections = parsed.ok ? parsed.form.items : [];
  expect(sections.flatMap(section => (section.type === 'group' ? section.items : [section]))).toHaveLength(12);
});

test('30 inspections over 90 days, with scores that are the sum of their answers', async () => {
  const [count] =
    await db.asAdmin(`select count(*)::int as n, max(started_at) < now() as past, min(started_at) > now() - interval '90 days' as recent
    from inspections where status <> 'scheduled'`);
  expect(count).toEqual({ n: 30, past: true, recent: true });
  const wrong = await db.asAdmin(`select i.id from inspections i join inspection_answers a on a.inspection_id = i.id
    group by i.id having i.score <> sum(a.score) or i.score_max <> sum(a.score_max) or (i.result = 'fail') <> bool_or(coalesce(a.outcome = 'fail', false))`);
  expect(wrong).toEqual([]);
});

test('answers have the ids a device would derive', async () => {
  const [row] = await db.asAdmin(
    `select id, inspection_id, question from inspection_answers where question = 'brakes.parking' limit 1`,
  );
  expect(row?.['id']).toBe(derivedId(String(row?.['inspection_id']), 'answer/brakes.parking'));
});

test('the worker has one check due today, however often the day is begun', async () => {
  await run('daily.sql');
  await db.asAdmin(`update inspections set due_at = now() - interval '3 days' where status = 'scheduled'`);
  await run('daily.sql');
  const rows = await db.as(
    person(3),
    `select title, due_at::date = current_date as today from inspections where status = 'scheduled'`,
  );
  expect(rows).toEqual([{ title: 'Forklift 3 pre-use check', today: true }]);
});

test('everybody sees their part, and Pia nothing of the company', async () => {
  const seen = async (n: number) => {
    const device = testDevice(db, person(n));
    await device.pull();
    return [...device.rows.keys()].filter(key => key.startsWith('inspections/')).length;
  };
  expect([await seen(1), await seen(2), await seen(3), await seen(4)]).toEqual([31, 31, 25, 0]);
});

test('all of it is removed in one act, and the day begins without it', async () => {
  await db.rpc(person(1), 'remove_sample_data', { organization_id: ORGANIZATION });
  for (const table of ['inspections', 'inspection_answers', 'action_items', 'forms', 'assets', 'sites']) {
    expect(await db.asAdmin(`select 1 from ${table}`)).toEqual([]);
  }
  await run('daily.sql');
  expect(await db.asAdmin('select 1 from inspections')).toEqual([]);
});

test('the seeded packs are offered, readable as a device reads them, and one of them is for growth', async () => {
  const packs = await db.asAdmin(
    `select p.kind, p.status, v.contents from policy_packs p join pack_versions v on v.id = p.current_version_id order by p.created_at`,
  );
  expect(packs.map(({ kind, status }) => [kind, status])).toEqual([
    ['compliance', 'active'],
    ['compliance', 'active'],
    ['growth', 'active'],
  ]);
  for (const { contents } of packs) {
    const read = readContents(contents);
    expect(read).toMatchObject({ ok: true });
    for (const { definition } of read.ok ? read.contents.forms : [])
      expect(parseFormDefinition(definition)).toMatchObject({ ok: true });
  }
});
