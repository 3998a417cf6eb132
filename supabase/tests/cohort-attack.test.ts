import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RIGHT_OF_100 } from '@cairn/core/wellness/cohort-privacy.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { evidenceOn, guessByLikelihood, guessByProgramme, type Evidence } from './cohort-attack.ts';
import { watch, withoutProtection, type Person, type Truth, type AttackerView } from './cohort-lab.ts';
import { addCompany, addPool, figures, put, say, type Company } from './cohort-world.ts';

/** Organisations, and how often each lives through twelve weeks under another secret; a soak takes more. */
const COMPANIES = Number(process.env['COHORT_COMPANIES'] ?? 4);
const TRIALS = Number(process.env['COHORT_TRIALS'] ?? 12);
const SEED = Number(process.env['SEED'] ?? 20_261_201);
const POOL = 150;
const [LOW, HIGH] = [1, 5];

let db: TestDatabase;
let pool: string[];
beforeAll(async () => {
  db = await freshDatabase();
  pool = await addPool(db, POOL);
});
afterAll(() => db.drop());

/** Who is where, and what is true of them: whoever is attacked, an employer knows all the others. */
const organisation = fc.record({
  people: fc.integer({ min: 90, max: POOL }),
  sites: fc.integer({ min: 1, max: 2 }),
  teams: fc.integer({ min: 1, max: 2 }),
  truths: fc.array(fc.constantFrom<Truth>('low', 'low', 'high', 'high', 'out'), { minLength: POOL, maxLength: POOL }),
});
type Organisation = typeof organisation extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type World = { company: Company; people: Person[] };

async function clear(): Promise<void> {
  await db.asAdmin('delete from wellness_check_ins');
  await db.asAdmin(`delete from organizations where kind = 'company'`);
}

const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};

const groupsOf = (people: readonly Person[], kind: 'site' | 'team') => Map.groupBy(people, person => person[kind]);

async function build(name: string, { people: size, sites, teams, truths }: Organisation): Promise<World> {
  await clear();
  const company = await addCompany(db, { name, people: pool.slice(0, size), sites, teams });
  const people = company.people.map((id, index) => ({
    id,
    truth: at(truths, index),
    // Where there are two the second is small: it is looked at only where it has members enough.
    site: at(company.sites, index % 5 === 0 ? sites - 1 : 0),
    team: at(company.teams, index % 2 === 0 ? teams - 1 : 0),
  }));
  for (const kind of ['site', 'team'] as const) {
    for (const [place, there] of groupsOf(people, kind)) {
      await put(
        db,
        company,
        there.map(person => person.id),
        { [kind]: place },
      );
    }
  }
  await say(
    db,
    [0, 1, 2],
    people.map(({ id, truth }, index) => ({
      person: id,
      value: truth === 'low' || (truth === 'out' && index % 2 === 0) ? LOW : HIGH,
    })),
  );
  const out = people.filter(person => person.truth === 'out').map(person => person.id);
  await db.asAdmin('update cohort_consents set created_at = now() where user_id = any ($1)', [out]);
  return { company, people };
}

/** One life of an organisation: everybody in turn is the one person an attacker does not know. */
type Trial = { truth: Truth; evidence: Evidence }[];

const trialOf = (people: readonly Person[], watched: readonly AttackerView[]): Trial =>
  people.map(person => ({ truth: person.truth, evidence: evidenceOn(person, people, watched) }));

async function attack(name: string, world: World, trials: number): Promise<Trial[]> {
  const all: Trial[] = [];
  for (let trial = 0; trial < trials; trial++) {
    all.push(trialOf(world.people, await watch(db, world.company, `${name}/${trial}`)));
  }
  return all;
}

type Guess = (evidence: Evidence, one: Truth, other: Truth) => Truth | Promise<Truth>;
type Question = [Truth, Truth];

/** The part of the guesses in one life that are right, where both truths are as likely. */
async function rightIn(trial: Trial, guess: Guess, [one, other]: Question): Promise<number> {
  // Who is in the same places and adds the same leaves the same evidence.
  const guesses = new Map<string, Truth>();
  const parts: number[] = [];
  for (const truth of [one, other]) {
    const asked = trial.filter(each => each.truth === truth);
    let right = 0;
    for (const { evidence } of asked) {
      const key = JSON.stringify(evidence);
      const guessed = guesses.get(key) ?? (await guess(evidence, one, other));
      guesses.set(key, guessed);
      if (guessed === truth) right += 1;
    }
    parts.push(right / asked.length);
  }
  return (at(parts, 0) + at(parts, 1)) / 2;
}

type Score = { mean: number; error: number };

/** Over lives under secrets of their own, so independent of each other: the mean, and its standard error. */
async function score(trials: readonly Trial[], guess: Guess, question: Question): Promise<Score> {
  const parts: number[] = [];
  for (const trial of trials) parts.push(await rightIn(trial, guess, question));
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  const variance = parts.reduce((sum, part) => sum + (part - mean) ** 2, 0) / (parts.length - 1);
  return { mean, error: Math.sqrt(variance / parts.length) };
}

/** More would be chance once in some 2,000 runs, were the bound met exactly. */
const SURE = 3.3;
const QUESTIONS: Question[] = [
  ['low', 'high'],
  ['out', 'high'],
  ['out', 'low'],
];

describe('who knows all answers but one, every move, the mechanism and whom else it left out', () => {
  let trials: Trial[] = [];
  beforeAll(async () => {
    trials = [];
    for (const [index, drawn] of fc.sample(organisation, { seed: SEED, numRuns: COMPANIES }).entries()) {
      const name = `${SEED}/${index}`;
      // One site and one team: everybody is in three figures that are released, the most anybody can be in.
      const world = await build(name, index % 2 === 0 ? { ...drawn, sites: 1, teams: 1 } : drawn);
      trials.push(...(await attack(name, world, TRIALS)));
    }
  }, 300_000);

  test.each(QUESTIONS)(
    'guesses %s or %s by likelihood no better over twelve weeks than is stated',
    async (...question) => {
      const { mean, error } = await score(trials, guessByLikelihood, question);
      expect(mean - SURE * error).toBeLessThanOrEqual(RIGHT_OF_100.twelveWeeks / 100);
    },
  );

  test.each(QUESTIONS)('guesses %s or %s by a linear programme no better', async (...question) => {
    const { mean, error } = await score(
      trials.filter((_, index) => index % 3 === 0),
      guessByProgramme,
      question,
    );
    expect(mean - SURE * error).toBeLessThanOrEqual(RIGHT_OF_100.twelveWeeks / 100);
  });

  test.each(QUESTIONS)(
    'guesses %s or %s in one period of four weeks no better than is stated of one',
    async (...question) => {
      const single = trials.flatMap(trial =>
        [0, 1, 2].map(n => trial.map(({ truth, evidence }) => ({ truth, evidence: [at(evidence, n)] }))),
      );
      const { mean, error } = await score(single, guessByLikelihood, question);
      expect(mean - SURE * error).toBeLessThanOrEqual(RIGHT_OF_100.one / 100);
    },
  );

  test('is right of everybody where noise and leaving out are switched off', async () => {
    await withoutProtection(db, async () => {
      const [drawn] = fc.sample(organisation, { seed: SEED, numRuns: 1 });
      if (!drawn) throw new Error('nothing drawn');
      const bare = await attack('bare', await build('bare', { ...drawn, sites: 1, teams: 1 }), 1);
      for (const guess of [guessByProgramme, guessByLikelihood]) {
        expect(await rightIn(at(bare, 0), guess, ['low', 'high'])).toBe(1);
      }
    });
  });
});

describe('an employer with 1 to 12 accounts of its own beside one real person', () => {
  const sizes = Array.from({ length: 12 }, (_, index) => index + 2);
  const everybody = sizes.reduce((sum, size) => sum + size, 0);

  test('reads nothing of a site with nobody else in it, in a company that has figures', async () => {
    await clear();
    const company = await addCompany(db, { name: 'filled', people: pool.slice(0, everybody), sites: sizes.length });
    let next = 0;
    for (const [index, size] of sizes.entries()) {
      await put(db, company, company.people.slice(next, next + size), { site: at(company.sites, index) });
      next += size;
    }
    await say(
      db,
      [0, 1, 2],
      company.people.map(person => ({ person, value: LOW })),
    );
    await watch(db, company, 'filled');
    const shown = await figures(db, company);
    expect([...new Set(shown.map(figure => figure.kind))]).toEqual(['organization']);
  });

  test('reads nothing where nobody else agreed, and the same whether that person did', async () => {
    await clear();
    const company = await addCompany(db, { name: 'silent', people: pool.slice(0, 90) });
    await say(
      db,
      [0, 1, 2],
      company.people.map(person => ({ person, value: HIGH })),
    );
    const agreed = 'update cohort_consents set created_at = $2 where employer_id = $1 and not (user_id = any ($3))';
    for (const size of sizes.toReversed()) {
      for (const together of [size, size - 1]) {
        await db.asAdmin(agreed, [company.id, '2026-11-01', company.people.slice(0, together)]);
        await watch(db, company, `silent/${together}`);
        expect(await figures(db, company)).toEqual([]);
      }
    }
  });
});
