import { describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PERSONS, rlsCases, rlsExpectations } from './rls-expectations.ts';
import { copyOf } from './sample-row.ts';

setUpWorld();

/** Refused by a grant or a policy; a duplicate was let through as far as the constraint. */
const refused = new Set(['42501']);
async function goesThrough(attempt: Promise<Record<string, unknown>[]>): Promise<boolean> {
  try {
    return (await attempt).length > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && refused.has(String(error.code))) return false;
    throw error;
  }
}

async function verbsOf(table: string, where: string, person: string | null): Promise<string> {
  const sample = await copyOf(db, table, where);
  const columns = sample.columns.join(', ');
  const [first] = sample.columns;
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
        [sample.row],
      ),
    ],
    ['u', db.as(person, `update ${table} set ${first} = ${first} where ${where} returning 1`)],
    ['d', db.as(person, `delete from ${table} where ${where} returning 1`)],
  ];
  const verbs = await Promise.all(tries.map(async ([verb, attempt]) => ((await goesThrough(attempt)) ? verb : '')));
  return verbs.join('');
}

describe('who gets through on each table by a direct call', () => {
  test.for(rlsCases)('$table, $person: "$verbs"', async ({ table, person, row, verbs }) => {
    const key = PERSONS[person];
    expect(await verbsOf(table, row(world), key && world[key])).toBe(verbs);
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
