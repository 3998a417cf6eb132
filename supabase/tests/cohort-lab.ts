import type { TestDatabase } from '@cairn/testing/database.ts';
import { figures, forget, period, take, type Company, type Figure } from './cohort-world.ts';

/** What is true of a person over all periods watched: never agreed, or agreed and always below or above the middle. */
export type Truth = 'out' | 'low' | 'high';

export type Person = { id: string; truth: Truth; site: string; team: string };

/** Four weeks as an attacker has them: what was published, and whom the secret draw counted, which nobody outside the database knows. */
export type AttackerView = { counted: ReadonlySet<string>; figures: readonly Figure[] };

const WATCHED = 3;

/** Lives through twelve weeks by the product's own `cohort.compute_window`, under the secret that belongs to the seed. */
export async function watch(db: TestDatabase, company: Company, seed: string): Promise<AttackerView[]> {
  const name = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  await db.asAdmin('update cohort.salt set key = extensions.uuid_generate_v5($1, $2)', [name, seed]);
  await forget(db);
  const counted: Set<string>[] = [];
  for (let index = 0; index < WATCHED; index++) {
    await take(db, company, index);
    const rows = await db.asAdmin('select user_id as id from cohort.spent_budget where week = $1', [period(index)]);
    counted.push(new Set(rows.map(row => String(row['id']))));
  }
  const shown = await figures(db, company);
  return counted.map((people, index) => ({
    counted: people,
    figures: shown.filter(figure => figure.week === period(index)),
  }));
}

/** The product's noise and its leaving out, replaced by none, as long as `act` runs. */
export async function withoutProtection(db: TestDatabase, act: () => Promise<void>): Promise<void> {
  const kept: string[] = [];
  for (const name of ['noise(text, double precision)', 'is_left_out(uuid, date)']) {
    const [row] = await db.asAdmin(`select pg_get_functiondef('cohort.${name}'::regprocedure) as text`);
    kept.push(String(row?.['text']));
  }
  await db.asAdmin(`create or replace function cohort.noise(p_text text, p_deviation double precision) returns integer
    language sql stable set search_path = '' as $$ select 0 $$`);
  await db.asAdmin(`create or replace function cohort.is_left_out(p_user uuid, p_week date) returns boolean
    language sql stable set search_path = '' as $$ select false $$`);
  try {
    await act();
  } finally {
    for (const text of kept) await db.asAdmin(text);
  }
}
