import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { narrowed, narrowedByMean } from './cohort-attack.ts';
import {
  addCompany,
  addPool,
  bits,
  figures,
  forget,
  monday,
  move,
  say,
  take,
  WEEKS,
  type Bit,
  type Company,
  type Figure,
} from './cohort-world.ts';

const POOL = 34;
const MINIMUM = 10;
/** Half of the scale from 1 to 5. */
const HALF = 2;

let db: TestDatabase;
let pool: string[];
beforeAll(async () => {
  db = await freshDatabase();
  pool = await addPool(db, POOL);
});
afterAll(() => db.drop());

const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};

type Story = { company: Company; bits: Bit[]; figures: Figure[] };
type Change = { who: number; kind: 'site' | 'team' | 'leaves' | 'takes back'; to: number };

const change = fc.record({
  who: fc.nat(POOL - 1),
  kind: fc.constantFrom('site', 'site', 'team', 'team', 'leaves', 'takes back'),
  to: fc.nat(3),
});
/** How each person answers in a week: mostly once to three times, seldom not at all. */
const answers = fc.array(
  fc.oneof(
    { weight: 19, arbitrary: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  { minLength: POOL, maxLength: POOL },
);
const organisation = fc.record({
  people: fc.integer({ min: MINIMUM, max: POOL }),
  sites: fc.integer({ min: 1, max: 3 }),
  teams: fc.integer({ min: 0, max: 3 }),
  start: fc.array(fc.record({ site: fc.nat(3), team: fc.nat(3) }), { minLength: POOL, maxLength: POOL }),
  weeks: fc.array(
    fc.record({
      changes: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(change, { maxLength: 4 })),
      answers,
    }),
    { minLength: WEEKS, maxLength: WEEKS },
  ),
});
type Organisation = typeof organisation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

async function apply(company: Company, { who, kind, to }: Change): Promise<void> {
  const person = company.people[who];
  if (person === undefined) return;
  if (kind === 'site') await move(db, company, person, { site: company.sites[to] });
  else if (kind === 'team') await move(db, company, person, { site: company.sites[0], team: company.teams[to] });
  else if (kind === 'leaves') {
    await db.asAdmin('delete from organization_members where organization_id = $1 and user_id = $2', [
      company.id,
      person,
    ]);
  } else {
    await db.asAdmin('update cohort_consents set revoked_at = now() where employer_id = $1 and user_id = $2', [
      company.id,
      person,
    ]);
  }
}

/** Twelve weeks of a company as drawn; what was released, and every bit behind it. */
async function live(drawn: Organisation): Promise<Story> {
  await db.asAdmin('delete from wellness_check_ins');
  const people = pool.slice(0, drawn.people);
  const company = await addCompany(db, { people, sites: drawn.sites, teams: drawn.teams });
  for (const [index, person] of people.entries()) {
    const { site, team } = at(drawn.start, index);
    await move(db, company, person, { site: company.sites[site], team: company.teams[team] });
  }
  const all: Bit[] = [];
  const shown = new Map<string, Figure>();
  for (const [week, { changes, answers: said }] of drawn.weeks.entries()) {
    for (const each of changes) await apply(company, each);
    await say(
      db,
      week,
      people.map((person, index) => ({ person, moods: at(said, index) })),
    );
    await take(db, company, week);
    all.push(...(await bits(db, company, week)));
    for (const figure of await figures(db, company)) shown.set(`${figure.week}/${figure.kind}/${figure.place}`, figure);
  }
  return { company, bits: all, figures: [...shown.values()] };
}

/** What figures of one week cut a company into, by every combination of and, or and not. */
function pieces(shown: readonly Figure[]): number[] {
  const people = new Set(shown.flatMap(figure => figure.counted));
  const cut = Map.groupBy(people, person => shown.map(figure => figure.counted.includes(person)).join());
  return [...cut.values()].map(piece => piece.length);
}

const apart = (a: readonly string[], b: readonly string[]): number =>
  a.filter(person => !b.includes(person)).length + b.filter(person => !a.includes(person)).length;

describe('who knows every answer but one, and every move', () => {
  test('never narrows a weekly mean below half of its scale, in twelve weeks of any company', async () => {
    let released = 0;
    await fc.assert(
      fc.asyncProperty(organisation, async drawn => {
        const story = await live(drawn);
        released += story.figures.length;
        for (const target of new Set(story.bits.map(bit => bit.person))) {
          for (const { from, to } of await narrowed(target, story))
            expect(to - from).toBeGreaterThanOrEqual(HALF - 1e-6);
        }
        for (const week of Map.groupBy(story.figures, figure => figure.week).values()) {
          for (const size of pieces(week)) expect(size).toBeGreaterThanOrEqual(MINIMUM);
        }
        for (const [index, one] of story.figures.entries()) {
          for (const other of story.figures.slice(index + 1)) {
            const difference = apart(one.counted, other.counted);
            expect(difference === 0 || difference >= MINIMUM).toBe(true);
          }
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
    expect(released).toBeGreaterThan(0);
  }, 300_000);

  test('would, if means were released, however many are counted and suppressed', async () => {
    // Rounded to a tenth and over the fewest people: one person's mean lies within one of five.
    expect(
      await narrowedByMean(
        Array.from({ length: 9 }, () => 4),
        3.7,
        0.1,
      ),
    ).toBeLessThan(HALF);
    expect(
      await narrowedByMean(
        Array.from({ length: 9 }, () => 4),
        3.7,
        0.0001,
      ),
    ).toBeLessThan(0.01);
    // However coarse the steps, somebody at the end of the scale is cut off at the edge of one.
    expect(
      await narrowedByMean(
        Array.from({ length: 9 }, () => 5),
        4.6,
        3.1,
      ),
    ).toBeLessThan(HALF);
  });

  test('sees the same release for answers that span half of the scale, whatever the coin', async () => {
    const people = pool.slice(0, MINIMUM);
    const company = await addCompany(db, { people, sites: 1, teams: 0 });
    const seen = new Map<string, Set<number>>();
    const hear = async (mood: number) => {
      await db.asAdmin('delete from wellness_check_ins');
      await db.asAdmin('update cohort.salt set key = gen_random_uuid()');
      await forget(db, company);
      // Four of nine are above the middle: with the tenth it is half of them, or not.
      await say(
        db,
        0,
        people.map((person, index) => ({ person, moods: index === 0 ? [mood] : [index < 5 ? 5 : 1] })),
      );
      await take(db, company, 0);
      const answer = (await figures(db, company)).map(figure => figure.share).join();
      seen.set(answer, (seen.get(answer) ?? new Set()).add(mood));
    };
    for (const mood of [1, 2, 4, 5]) await hear(mood);
    // Who says the middle is counted by a coin: thrown until it has shown both sides, which 60 throws do but once in 2^59.
    const both = () => [...seen.values()].filter(moods => moods.has(3)).length === 2;
    for (let thrown = 0; thrown < 60 && !both(); thrown++) await hear(3);
    expect([...seen.keys()].toSorted()).toEqual(['many', 'some']);
    for (const moods of seen.values()) expect(Math.max(...moods) - Math.min(...moods)).toBeGreaterThanOrEqual(HALF);
  });
});

/** A week in which everybody of a company says 4, then reckons it. */
async function quietWeek(company: Company, week: number): Promise<Figure[]> {
  await say(
    db,
    week,
    company.people.map(person => ({ person, moods: [4] })),
  );
  await take(db, company, week);
  return (await figures(db, company)).filter(figure => figure.week === monday(week));
}

async function placed(sizes: readonly number[], minimum = MINIMUM): Promise<Company> {
  await db.asAdmin('delete from wellness_check_ins');
  const people = pool.slice(
    0,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  const company = await addCompany(db, { people, sites: sizes.length, teams: 0, minimum });
  let next = 0;
  for (const [index, size] of sizes.entries()) {
    for (const person of people.slice(next, next + size)) {
      await move(db, company, person, { site: at(company.sites, index) });
    }
    next += size;
  }
  return company;
}

const sizesOf = (shown: readonly Figure[]) => shown.map(figure => `${figure.kind} ${figure.counted.length}`).toSorted();

describe('a group is withheld', () => {
  test('when it has fewer people than the minimum, and so is what it could be reckoned from', async () => {
    expect(sizesOf(await quietWeek(await placed([12, 10]), 0))).toEqual(['organization 22', 'site 10', 'site 12']);
    expect(sizesOf(await quietWeek(await placed([12, 9]), 0))).toEqual(['organization 21']);
    expect(sizesOf(await quietWeek(await placed([9]), 0))).toEqual([]);
  });

  test('with a higher minimum of the organisation sooner, and below five never', async () => {
    expect(sizesOf(await quietWeek(await placed([12, 10], 11), 0))).toEqual(['organization 22']);
    await expect(placed([4], 4)).rejects.toThrow(/minimum/);
  });

  test('when it differs from one of the last twelve weeks by one who left, and one who came changes nothing', async () => {
    const company = await placed([14]);
    expect(sizesOf(await quietWeek(company, 0))).toEqual(['organization 14', 'site 14']);
    const newcomer = at(pool, 20);
    await db.asAdmin(
      `insert into organization_members (organization_id, user_id, joined_at) values ($1, $2, '2025-11-01')`,
      [company.id, newcomer],
    );
    await db.asAdmin(`insert into cohort_consents (user_id, employer_id, created_at) values ($2, $1, '2025-12-01')`, [
      company.id,
      newcomer,
    ]);
    company.people.push(newcomer);
    expect(sizesOf(await quietWeek(company, 1))).toEqual(['organization 14', 'site 14']);
    await apply(company, { who: 0, kind: 'leaves', to: 0 });
    expect(sizesOf(await quietWeek(company, 2))).toEqual([]);
    expect(sizesOf(await quietWeek(company, 12))).toEqual([]);
    expect(sizesOf(await quietWeek(company, 13))).toEqual(['organization 14']);
  });

  test('before its people agreed for the whole week, and what nobody counted stays uncounted', async () => {
    const company = await placed([10]);
    const [first] = company.people;
    await db.asAdmin(`update cohort_consents set created_at = $3 where employer_id = $1 and user_id = $2`, [
      company.id,
      first,
      `${monday(0)}T00:00:01Z`,
    ]);
    expect(await quietWeek(company, 0)).toEqual([]);
    expect(sizesOf(await quietWeek(company, 1))).toEqual(['organization 10', 'site 10']);
    expect(await take(db, company, 1)).toBe(false);
  });
});

describe('who reads figures', () => {
  const shown =
    'select week::text, measure, kind, place_id, people, share from cohort_figures where organization_id = $1';
  test('everybody of the organisation reads the same, nobody else anything, and nobody writes', async () => {
    const company = await placed([12]);
    const [person = '', administrator = ''] = company.people;
    await db.asAdmin(`update organization_members set role = 'admin' where organization_id = $1 and user_id = $2`, [
      company.id,
      administrator,
    ]);
    await quietWeek(company, 0);
    const read = await db.as(administrator, shown, [company.id]);
    expect(read.map(row => [row['kind'], row['people'], row['share']])).toEqual([
      ['organization', 10, 'most'],
      ['site', 10, 'most'],
    ]);
    expect(await db.as(person, shown, [company.id])).toEqual(read);
    expect(await db.as(at(pool, 30), shown, [company.id])).toEqual([]);
    await expect(db.as(null, shown, [company.id])).rejects.toThrow(/permission denied/);
    for (const closed of ['cohort.bit', 'cohort.panel', 'cohort.salt']) {
      await expect(db.as(administrator, `select * from ${closed}`)).rejects.toThrow(/permission denied/);
    }
    await expect(db.as(administrator, 'select cohort.take($1, $2)', [company.id, monday(1)])).rejects.toThrow(/denied/);
    await expect(db.as(administrator, 'delete from cohort_figures')).rejects.toThrow(/permission denied/);
    const others = await db.as(administrator, 'select user_id from cohort_consents');
    expect(new Set(others.map(row => row['user_id']))).toEqual(new Set([administrator]));
  });

  test('an administrator alone asks for them, from ten people on, and the audit log says so', async () => {
    const company = await placed([12]);
    const [person = '', administrator = ''] = company.people;
    await db.asAdmin(`update organization_members set role = 'admin' where organization_id = $1 and user_id = $2`, [
      company.id,
      administrator,
    ]);
    const set = (who: string, minimum: number) =>
      db.rpc(who, 'set_cohort_settings', { p_organization: company.id, p_on: true, p_minimum: minimum });
    await expect(set(person, 12)).rejects.toThrow(/not allowed/);
    await expect(set(administrator, 9)).rejects.toThrow(/ten people/);
    await set(administrator, 12);
    const acts = await db.asAdmin('select detail from audit_entries where organization_id = $1 and act = $2', [
      company.id,
      'organization.wellness_figures',
    ]);
    expect(acts.map(row => row['detail'])).toEqual([{ on: true, minimum: 12 }]);
  });

  test('the week that ended is reckoned from the Wednesday after it on, where an organisation asks for it', async () => {
    const company = await placed([12]);
    await say(
      db,
      0,
      company.people.map(person => ({ person, moods: [4] })),
    );
    const sweep = (now: string) => db.asAdmin('select sync.sweep_cohorts($1)', [now]);
    await sweep('2026-01-13T23:59:00Z');
    expect(await figures(db, company)).toEqual([]);
    await sweep('2026-01-14T00:01:00Z');
    expect((await figures(db, company)).map(figure => figure.week)).toEqual([monday(0), monday(0)]);
  });
});
