import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { rlsExpectations, type Expectation } from './rls-expectations.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
});
afterAll(() => db.drop());

const PERSONS = {
  owner: 'worker',
  colleague: 'colleague',
  manager: 'manager',
  other: 'stranger',
  visitor: null,
} as const;
type Person = keyof typeof PERSONS;

/** Refused by a grant or a policy; a duplicate was let through as far as the constraint. */
const refused = new Set(['42501']);
/** Gives the columns of a copy that would otherwise collide with the sample row. */
const COPY: Record<string, Record<string, unknown>> = { playbooks: { name: 'A copy' } };

async function goesThrough(attempt: Promise<Record<string, unknown>[]>): Promise<boolean> {
  try {
    return (await attempt).length > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && refused.has(String(error.code))) return false;
    throw error;
  }
}

/** A copy of the sample row, the way a client would send it: without what is generated, with an id of its own. */
async function copyOf(table: string, where: string): Promise<{ columns: string; row: Record<string, unknown> }> {
  const names = await db.asAdmin(
    `select attname from pg_attribute where attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('id', 'version', 'created_at', 'updated_at')`,
  );
  const columns = names.map(row => String(row['attname'])).join(', ');
  const [sample] = await db.asAdmin(`select to_jsonb(t) as row from ${table} t where ${where} limit 1`);
  return { columns, row: { ...(sample?.['row'] as Record<string, unknown>), ...COPY[table] } };
}

async function verbsOf(table: string, where: string, person: string | null): Promise<string> {
  const { columns, row } = await copyOf(table, where);
  const first = columns.split(', ')[0];
  // Preferences are one row per person: an insert can only be tried where there is none, and is an upsert otherwise.
  const onConflict =
    table === 'user_preferences' ? 'on conflict (user_id) do update set theme_mode = excluded.theme_mode' : '';
  const tries: [string, Promise<Record<string, unknown>[]>][] = [
    ['s', db.as(person, `select 1 from ${table} where ${where}`)],
    [
      'i',
      db.as(
        person,
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1) ${onConflict} returning 1`,
        [row],
      ),
    ],
    ['u', db.as(person, `update ${table} set ${first} = ${first} where ${where} returning 1`)],
    ['d', db.as(person, `delete from ${table} where ${where} returning 1`)],
  ];
  const verbs = await Promise.all(tries.map(async ([verb, attempt]) => ((await goesThrough(attempt)) ? verb : '')));
  return verbs.join('');
}

const expected = (expectation: Expectation, person: Person): string =>
  person === 'visitor' ? '' : expectation[person];

describe('who gets through on each table by a direct call', () => {
  const cases = Object.entries(rlsExpectations).flatMap(([table, expectation]) =>
    (Object.keys(PERSONS) as Person[]).map(person => ({
      table,
      person,
      expectation,
      verbs: expected(expectation, person),
    })),
  );
  test.for(cases)('$table, $person: "$verbs"', async ({ table, person, expectation, verbs }) => {
    const key = PERSONS[person];
    expect(await verbsOf(table, expectation.row(world), key && world[key])).toBe(verbs);
  });

  test('every public table has row-level security on and a row in the expectations', async () => {
    const tables = await db.asAdmin(
      `select relname, relrowsecurity from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    expect(tables.filter(table => !table['relrowsecurity'])).toEqual([]);
    expect(tables.map(table => String(table['relname']))).toEqual(Object.keys(rlsExpectations).toSorted());
  });

  test('R3.13 a second profile for one person is refused', async () => {
    const attempt = db.as(world.worker, 'insert into profiles (id) values ($1)', [world.worker]);
    await expect(attempt).rejects.toMatchObject({ code: '23505' });
  });
});
