import { createHash } from 'node:crypto';
import { addDays } from '@cairn/base/local-day.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';

/** The Monday on which the server's first four weeks begin, and those after it. */
export const period = (index: number): string => addDays('2026-01-05', index * 28);
/** Long enough before the first of them to be counted in it. */
const LONG_AGO = '2025-10-01';

export type Company = { id: string; sites: string[]; teams: string[]; people: string[] };

/** Always the same id for a text, so that what hangs on ids comes out the same in each run. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** People without accounts of a server: nobody signs in as them. */
export async function addPool(db: TestDatabase, size: number, name = 'pool'): Promise<string[]> {
  const ids = Array.from({ length: size }, (_, index) => idOf(`${name}/${index}`));
  await db.asAdmin(`insert into auth.users (id, email) select p, p || '@pool.test' from unnest($1::uuid[]) p`, [ids]);
  return ids;
}

async function addPlaces(db: TestDatabase, table: 'sites' | 'teams', company: string, count: number) {
  const ids = Array.from({ length: count }, (_, index) => idOf(`${company}/${table}/${index}`));
  await db.asAdmin(
    `insert into ${table} (id, organization_id, name) select p, $2, 'Place' from unnest($1::uuid[]) as p`,
    [ids, company],
  );
  return ids;
}

/** Members of a company who belonged and agreed long ago. */
export async function addMembers(db: TestDatabase, company: string, people: readonly string[], since = LONG_AGO) {
  await db.asAdmin(`insert into organization_members (organization_id, user_id) select $1, unnest($2::uuid[])`, [
    company,
    people,
  ]);
  await db.asAdmin(`update cohort.membership set since = $3 where organization_id = $1 and user_id = any ($2)`, [
    company,
    people,
    since,
  ]);
  await db.asAdmin(`insert into cohort_consents (user_id, employer_id, created_at) select unnest($2::uuid[]), $1, $3`, [
    company,
    people,
    since,
  ]);
}

type Options = { name: string; people: readonly string[]; sites?: number; teams?: number; minimum?: number };

/** A company that wants figures, its sites and teams, and its people, all of whom agreed; they are in no site or team yet. */
export async function addCompany(db: TestDatabase, options: Options): Promise<Company> {
  const { name, people, sites = 0, teams = 0, minimum = 60 } = options;
  const id = idOf(`company/${name}`);
  await db.asAdmin(`insert into organizations (id, name, slug) values ($1, 'Works', $2)`, [id, `works-${id}`]);
  await addMembers(db, id, people);
  await db.asAdmin(`insert into cohort_settings (organization_id, is_on, minimum) values ($1, true, $2)`, [
    id,
    minimum,
  ]);
  return {
    id,
    people: [...people],
    sites: await addPlaces(db, 'sites', id, sites),
    teams: await addPlaces(db, 'teams', id, teams),
  };
}

export async function put(
  db: TestDatabase,
  company: Company,
  people: readonly string[],
  to: { site?: string; team?: string },
) {
  for (const [kind, place] of Object.entries(to)) {
    await db.asAdmin(
      `insert into ${kind}_members (organization_id, ${kind}_id, user_id) select $1, $2, unnest($3::uuid[])`,
      [company.id, place, people],
    );
  }
}

export type Answer = { person: string; value: number };

/** What people say on one day of each of these four weeks: mood, energy and stress alike. */
export async function say(db: TestDatabase, periods: readonly number[], answers: readonly Answer[]): Promise<void> {
  const rows = periods.flatMap(index => answers.map(each => ({ ...each, day: addDays(period(index), 9) })));
  await db.asAdmin(
    `insert into wellness_check_ins (user_id, day, at, mood, energy, stress)
     select r.person, r.day, r.day, r.value, r.value, r.value
     from jsonb_to_recordset($1::jsonb) as r (person uuid, day date, value smallint)`,
    [JSON.stringify(rows)],
  );
}

export const take = async (db: TestDatabase, company: Company, index: number): Promise<boolean> => {
  const [row] = await db.asAdmin('select cohort.compute_window($1, $2) as done', [company.id, period(index)]);
  return row?.['done'] === true;
};

/** Takes back what was reckoned anywhere, so that it can be reckoned again. */
export async function forget(db: TestDatabase): Promise<void> {
  for (const table of ['cohort.computed_window', 'cohort.spent_budget', 'cohort_figures'])
    await db.asAdmin(`delete from ${table}`);
}

export type Figure = {
  week: string;
  measure: string;
  kind: 'organization' | 'site' | 'team';
  place: string;
  people: number;
  percent: number;
  margin: number;
};

/** What everybody of a company reads. */
export async function figures(db: TestDatabase, company: Company): Promise<Figure[]> {
  const rows = await db.asAdmin(
    `select week::text as week, measure, kind, place_id as place, people, percent, margin from cohort_figures
     where organization_id = $1 order by week, kind, place_id, measure`,
    [company.id],
  );
  return rows as Figure[];
}
