import { randomUUID } from 'node:crypto';
import { addDays } from '@cairn/base/local-day.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';

export const WEEKS = 12;
/** A Monday. */
const FIRST = '2026-01-05';
export const monday = (week: number): string => addDays(FIRST, week * 7);

/** A company that wants figures, its sites and teams, and which of the pool agreed; nobody is anywhere yet. */
export type Company = { id: string; sites: string[]; teams: string[]; people: string[] };

export type Options = { people: readonly string[]; sites: number; teams: number; minimum?: number };

/** People without accounts of a server: nobody signs in as them. */
export const addPool = (db: TestDatabase, size: number): Promise<string[]> =>
  Promise.all(Array.from({ length: size }, (_, index) => db.person(`p${index}@pool.test`)));

async function addPlaces(db: TestDatabase, table: 'sites' | 'teams', company: string, count: number) {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await db.asAdmin(`insert into ${table} (id, organization_id, name) values ($1, $2, 'Place')`, [id, company]);
  }
  return ids;
}

export async function addCompany(db: TestDatabase, { people, sites, teams, minimum = 10 }: Options): Promise<Company> {
  const id = randomUUID();
  await db.asAdmin(`insert into organizations (id, name, slug) values ($1, 'Works', $2)`, [id, `works-${id}`]);
  await db.asAdmin(
    `insert into organization_members (organization_id, user_id, joined_at) select $1, unnest($2::uuid[]), '2025-11-01'`,
    [id, people],
  );
  await db.asAdmin(
    `insert into cohort_consents (user_id, employer_id, created_at) select unnest($2::uuid[]), $1, '2025-12-01'`,
    [id, people],
  );
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

/** Puts a person where they belong from now on, and nowhere else. */
export async function move(
  db: TestDatabase,
  company: Company,
  person: string,
  to: { site?: string | undefined; team?: string | undefined },
) {
  await db.asAdmin('delete from site_members where organization_id = $1 and user_id = $2', [company.id, person]);
  await db.asAdmin('delete from team_members where organization_id = $1 and user_id = $2', [company.id, person]);
  const member = 'select from organization_members where organization_id = $1 and user_id = $2';
  // Who has left has no place any more.
  if ((await db.asAdmin(member, [company.id, person])).length === 0) return;
  if (to.site !== undefined) {
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      company.id,
      to.site,
      person,
    ]);
  }
  if (to.team !== undefined) {
    await db.asAdmin('insert into team_members (organization_id, team_id, user_id) values ($1, $2, $3)', [
      company.id,
      to.team,
      person,
    ]);
  }
}

export type Answer = { person: string; moods: readonly number[] };

/** What people say in a week, a day each. */
export async function say(db: TestDatabase, week: number, answers: readonly Answer[]): Promise<void> {
  const rows = answers.flatMap(({ person, moods }) =>
    moods.map((mood, day) => ({ user_id: person, day: addDays(monday(week), day), mood })),
  );
  await db.asAdmin(
    `insert into wellness_check_ins (user_id, day, at, mood)
     select r.user_id, r.day, r.day, r.mood from jsonb_to_recordset($1::jsonb) as r (user_id uuid, day date, mood smallint)`,
    [JSON.stringify(rows)],
  );
}

export const take = async (db: TestDatabase, company: Company, week: number): Promise<boolean> => {
  const [row] = await db.asAdmin('select cohort.take($1, $2) as done', [company.id, monday(week)]);
  return row?.['done'] === true;
};

/** Takes back what was reckoned, so that a week can be reckoned again in a world that differs in one answer. */
export async function forget(db: TestDatabase, company: Company): Promise<void> {
  for (const table of ['cohort.taken', 'cohort.bit', 'cohort.panel', 'cohort_figures']) {
    await db.asAdmin(`delete from ${table} where organization_id = $1`, [company.id]);
  }
}

export type Share = 'few' | 'some' | 'many' | 'most';
export type Figure = { week: string; kind: string; place: string; share: Share; counted: string[] };

/** What was released, with whom each figure counted: more than anybody outside the database knows. */
export async function figures(db: TestDatabase, company: Company): Promise<Figure[]> {
  const rows = await db.asAdmin(
    `select f.week::text as week, f.kind, f.place_id as place, f.share, p.people as counted
     from cohort_figures f join cohort.panel p using (organization_id, measure, week, kind, place_id)
     where f.organization_id = $1 and f.measure = 'mood' order by f.week, f.kind, f.place_id`,
    [company.id],
  );
  return rows as Figure[];
}

export type Bit = { week: string; person: string; high: boolean };

/** The bits of a week, as they were when it was reckoned. */
export async function bits(db: TestDatabase, company: Company, week: number): Promise<Bit[]> {
  const rows = await db.asAdmin(
    `select week::text as week, person, high from cohort.bit where organization_id = $1 and measure = 'mood' and week = $2`,
    [company.id, monday(week)],
  );
  return rows as Bit[];
}
