import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import {
  addCompany,
  addMembers,
  addPool,
  figures,
  forget,
  period,
  put,
  say,
  take,
  type Company,
} from './cohort-world.ts';

const POOL = 220;
/** So many that what the draw leaves of them and the noise do not go below the 60 of a figure: eight deviations (160 of 3/4, noise of 5). */
const MANY = 160;

let db: TestDatabase;
let pool: string[];
let named = 0;
beforeAll(async () => {
  db = await freshDatabase();
  pool = await addPool(db, POOL);
});
afterAll(() => db.drop());
beforeEach(async () => {
  await forget(db);
  await db.asAdmin('delete from wellness_check_ins');
  await db.asAdmin(`delete from organizations where kind = 'company'`);
});

const companyOf = (size: number, places: { sites?: number; teams?: number } = {}): Promise<Company> =>
  addCompany(db, { name: `test/${named++}`, people: pool.slice(0, size), ...places });

const all = (company: Company, value: number) => company.people.map(person => ({ person, value }));
const eligible = async (company: Company, index = 0): Promise<string[]> =>
  (await db.asAdmin('select user_id from cohort.eligible($1, $2) order by 1', [company.id, period(index)])).map(row =>
    String(row['user_id']),
  );
const counted = async (company: Company, index = 0): Promise<string[]> =>
  (await db.asAdmin('select v.user_id from unnest(cohort.select_voices($1, $2)) v', [company.id, period(index)])).map(
    row => String(row['user_id']),
  );

describe('counted is only who has belonged and agreed for twelve weeks', () => {
  test('by the server’s clock, from the first of the four weeks back', async () => {
    const company = await companyOf(3);
    const [late = '', tardy = '', long = ''] = company.people;
    const since = 'update cohort.membership set since = $2 where user_id = $1';
    const agreed = 'update cohort_consents set created_at = $2 where user_id = $1';
    await db.asAdmin(since, [late, '2025-10-13T00:00:00.001Z']);
    await db.asAdmin(agreed, [late, '2025-10-13T00:00:00.001Z']);
    await db.asAdmin(agreed, [tardy, '2025-10-13T00:00:00.001Z']);
    expect(await eligible(company)).toEqual([long]);
    expect(await eligible(company, 1)).toEqual([...company.people].toSorted());
  });

  test('a new row begins now, whatever day of joining it is written with', async () => {
    const company = await companyOf(1);
    const [, newcomer = ''] = pool;
    await db.asAdmin(
      `insert into organization_members (organization_id, user_id, joined_at) values ($1, $2, '2020-01-01')`,
      [company.id, newcomer],
    );
    await db.asAdmin(`insert into cohort_consents (user_id, employer_id, created_at) values ($2, $1, '2020-01-02')`, [
      company.id,
      newcomer,
    ]);
    expect(await eligible(company)).toEqual(company.people);
  });

  test('who was removed and is put back, or whose time ended and is made longer, begins anew and has to agree anew', async () => {
    const company = await companyOf(3);
    const [removed = '', ended = '', long = ''] = company.people;
    const change = (who: string, what: string) =>
      db.asAdmin(`update organization_members set ${what} where organization_id = $1 and user_id = $2`, [
        company.id,
        who,
      ]);
    await change(removed, 'deleted_at = now()');
    await change(removed, `deleted_at = null, joined_at = '2020-01-01'`);
    await change(ended, `valid_until = now() - interval '1 second'`);
    await change(ended, 'valid_until = null');
    await change(long, `role = 'manager'`);
    expect(await eligible(company)).toEqual([long]);
    const open = await db.asAdmin('select user_id from cohort_consents where employer_id = $1 and revoked_at is null', [
      company.id,
    ]);
    expect(open).toEqual([{ user_id: long }]);
  });

  test('a consent that was taken back or removed does not come back, and its day is the server’s', async () => {
    const company = await companyOf(2);
    const [revoked = '', deleted = ''] = company.people;
    await db.asAdmin('update cohort_consents set revoked_at = now() where user_id = $1', [revoked]);
    await db.asAdmin('update cohort_consents set deleted_at = now() where user_id = $1', [deleted]);
    expect(await eligible(company)).toEqual([]);
    const back = (who: string, column: string) =>
      db.asAdmin(`update cohort_consents set ${column} = null where user_id = $1`, [who]);
    await expect(back(revoked, 'revoked_at')).rejects.toThrow(/another one given/);
    await expect(back(deleted, 'deleted_at')).rejects.toThrow(/another one given/);
    const pushed = await db.asAdmin(
      `select 'created_at' = any (server_columns) as is_servers from sync.tables where name = 'cohort_consents'`,
    );
    expect(pushed).toEqual([{ is_servers: true }]);
  });
});

describe('of those who may be counted', () => {
  test('one in four is left out by a draw of each four weeks, which the secret alone decides', async () => {
    const company = await companyOf(POOL);
    await say(db, [0, 1], all(company, 5));
    const first = await counted(company);
    const second = await counted(company, 1);
    // Outside of these in one run of a million (binomial, 220 of 3/4).
    for (const drawn of [first, second]) {
      expect(drawn.length).toBeGreaterThan(132);
      expect(drawn.length).toBeLessThan(195);
    }
    expect(first).not.toEqual(second);
    expect(await counted(company)).toEqual(first);
    await db.asAdmin('update cohort.salt set key = gen_random_uuid()');
    expect(await counted(company)).not.toEqual(first);
  });

  test('nobody weighs twice: one organisation in the same four weeks, one site, one team', async () => {
    const company = await companyOf(MANY, { sites: 2, teams: 3 });
    for (const site of company.sites) await put(db, company, company.people, { site });
    for (const team of company.teams) await put(db, company, company.people, { team });
    await say(db, [0], all(company, 5));
    await take(db, company, 0);
    const kinds = (await figures(db, company)).filter(figure => figure.measure === 'mood').map(figure => figure.kind);
    expect(kinds.toSorted()).toEqual(['organization', 'site', 'team']);
    const second = await companyOf(MANY);
    expect(await eligible(second)).toHaveLength(MANY);
    expect(await counted(second)).toEqual([]);
    await take(db, second, 0);
    expect(await figures(db, second)).toEqual([]);
  });

  test('each has a budget for life, which agreeing again does not begin anew', async () => {
    const company = await companyOf(MANY);
    const [person = ''] = company.people;
    await say(db, [0, 1], all(company, 5));
    const units = async () =>
      (await db.asAdmin('select units, count(*)::integer as n from cohort.spent_budget group by 1 order by 1')).map(
        row => [row['units'], row['n']],
      );
    await take(db, company, 0);
    expect(await units()).toEqual([[4, (await units())[0]?.[1]]]);
    await db.asAdmin('update cohort.spent_budget set units = 77');
    const worn = await db.asAdmin('select user_id from cohort.spent_budget');
    await db.asAdmin('delete from cohort_consents where user_id = $1', [person]);
    await db.asAdmin(`insert into cohort_consents (user_id, employer_id, created_at) values ($1, $2, '2025-10-02')`, [
      person,
      company.id,
    ]);
    const next = await counted(company, 1);
    expect(worn.filter(row => next.includes(String(row['user_id'])))).toEqual([]);
  });

  test('a count that came to nothing costs a quarter of one with figures, and a company too small for any costs nothing', async () => {
    const company = await companyOf(70);
    await db.asAdmin('update cohort_consents set revoked_at = now() where user_id = any ($1)', [pool.slice(20)]);
    await say(db, [0], all(company, 5));
    await take(db, company, 0);
    expect(await figures(db, company)).toEqual([]);
    expect(await db.asAdmin('select distinct units from cohort.spent_budget')).toEqual([{ units: 1 }]);
    await forget(db);
    const small = await companyOf(40);
    await take(db, small, 0);
    expect(await db.asAdmin('select user_id from cohort.spent_budget')).toEqual([]);
  });
});

describe('what is released', () => {
  test('has noise of the deviations that the bound is reckoned with, whole numbers around nothing', async () => {
    for (const deviation of [5, 14]) {
      const [row] = await db.asAdmin(
        `select avg(x)::float as mean, stddev(x)::float as deviation, max(abs(x)) as most
         from generate_series(1, 6000) n cross join lateral (select cohort.noise('a label/' || n, $1) as x) r`,
        [deviation],
      );
      // Five standard errors of 6,000 draws.
      expect(Math.abs(Number(row?.['mean']))).toBeLessThan((5 * deviation) / Math.sqrt(6000));
      expect(Number(row?.['deviation']) / deviation).toBeGreaterThan(1 - 5 / Math.sqrt(12_000));
      expect(Number(row?.['deviation']) / deviation).toBeLessThan(1 + 5 / Math.sqrt(12_000));
      expect(Number(row?.['most'])).toBeGreaterThan(3 * deviation);
    }
  });

  test('comes out the same where the same four weeks are reckoned again, and with noise of its own where an answer differs', async () => {
    const company = await companyOf(120, { sites: 1 });
    await put(db, company, company.people, { site: company.sites[0] ?? '' });
    await say(
      db,
      [0],
      company.people.map((person, index) => ({ person, value: index % 2 === 0 ? 1 : 5 })),
    );
    const reckon = async () => {
      await forget(db);
      await take(db, company, 0);
      return figures(db, company);
    };
    const first = await reckon();
    expect(first).toHaveLength(6);
    expect(await reckon()).toEqual(first);
    await db.asAdmin(`update wellness_check_ins set mood = 6 - mood
      where user_id = (select user_id from cohort.spent_budget order by 1 limit 1)`);
    const other = await reckon();
    // One answer moves a mood by two points at most; noise of its own moves all of them.
    const apart = first.map((figure, index) => Math.abs(figure.percent - (other[index]?.percent ?? 0)));
    expect(Math.max(...apart)).toBeGreaterThan(2);
    expect(apart.filter(each => each > 0).length).toBeGreaterThan(2);
  });

  test('stays as it is: reckoned once, whoever withdraws, leaves or deletes their account', async () => {
    const company = await companyOf(MANY);
    await say(db, [0, 1], all(company, 5));
    await take(db, company, 0);
    const first = await figures(db, company);
    expect(first).toHaveLength(3);
    const [withdraws = '', leaves = ''] = company.people;
    await db.asAdmin('update cohort_consents set revoked_at = now() where user_id = $1', [withdraws]);
    await db.asAdmin('delete from organization_members where user_id = $1', [leaves]);
    const gone = (await addPool(db, 1, 'gone'))[0] ?? '';
    await addMembers(db, company.id, [gone]);
    await db.asAdmin('insert into cohort.spent_budget (user_id, units, week) values ($1, 4, $2)', [gone, period(0)]);
    await db.asAdmin('delete from auth.users where id = $1', [gone]);
    expect(await take(db, company, 0)).toBe(false);
    expect(await figures(db, company)).toEqual(first);
    expect(await db.asAdmin('select user_id from cohort.spent_budget where user_id = $1', [gone])).toEqual([]);
    const next = await counted(company, 1);
    for (const person of [withdraws, leaves, gone]) expect(next).not.toContain(person);
  });

  test('shows a group of honest people what changed: the true part lies in the range, and a rise does not hide in it', async () => {
    const company = await companyOf(200);
    const answeredBy = (part: number) =>
      company.people.map((person, index) => ({ person, value: index < part * 200 ? 5 : 1 }));
    await say(db, [0], answeredBy(0.25));
    await say(db, [1], answeredBy(0.7));
    const inRange: boolean[] = [];
    let rises = 0;
    let squares = 0;
    const secrets = 12;
    for (let n = 0; n < secrets; n++) {
      await db.asAdmin('update cohort.salt set key = extensions.uuid_generate_v5(key, $1)', [`honest/${n}`]);
      await forget(db);
      for (const index of [0, 1]) await take(db, company, index);
      const shown = await figures(db, company);
      inRange.push(
        ...shown.map(({ week, percent, margin }) => Math.abs(percent - (week === period(0) ? 25 : 70)) <= margin),
      );
      const stress = shown.filter(figure => figure.measure === 'stress');
      const [before, after] = [stress[0], stress[1]];
      if (before && after && after.percent - before.percent > Math.hypot(before.margin, after.margin)) rises += 1;
      for (const { week, people, percent, margin } of shown) {
        expect(margin).toBeLessThanOrEqual(13);
        squares += (((percent - (week === period(0) ? 25 : 70)) * people) / 50) ** 2;
      }
    }
    // In people: 14 of a sum by the noise, some 5 by who was left out; four standard errors of 72 estimates.
    expect(Math.sqrt(squares / (6 * secrets))).toBeGreaterThan(10);
    expect(Math.sqrt(squares / (6 * secrets))).toBeLessThan(20);
    expect(inRange).toHaveLength(6 * secrets);
    expect(inRange.filter(Boolean).length).toBeGreaterThanOrEqual(0.85 * inRange.length);
    expect(rises).toBe(secrets);
  });
});
