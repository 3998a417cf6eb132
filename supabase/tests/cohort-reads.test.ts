import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';
import { addCompany, addPool, figures, forget, period, say, take, type Company } from './cohort-world.ts';

let db: TestDatabase;
let pool: string[];
let company: Company;
let person: string;
let administrator: string;
beforeAll(async () => {
  db = await freshDatabase();
  pool = await addPool(db, 102);
});
afterAll(() => db.drop());
beforeEach(async () => {
  await forget(db);
  await db.asAdmin(`delete from organizations where kind = 'company'`);
  company = await addCompany(db, { name: 'read', people: pool.slice(0, 100) });
  [person = '', administrator = ''] = company.people;
  await db.asAdmin(`update organization_members set role = 'admin' where organization_id = $1 and user_id = $2`, [
    company.id,
    administrator,
  ]);
  await db.asAdmin('delete from wellness_check_ins');
  await say(
    db,
    [0],
    company.people.map(each => ({ person: each, value: 4 })),
  );
});

describe('who reads figures', () => {
  const shown =
    'select week::text, measure, kind, place_id, people, percent, margin from cohort_figures where organization_id = $1';

  test('everybody of the organisation reads the same, nobody else anything, and nobody writes', async () => {
    await take(db, company, 0);
    const read = await db.as(administrator, shown, [company.id]);
    expect(read.map(row => [row['kind'], row['measure']])).toEqual([
      ['organization', 'mood'],
      ['organization', 'energy'],
      ['organization', 'stress'],
    ]);
    expect(await db.as(person, shown, [company.id])).toEqual(read);
    expect(await db.as(pool[101] ?? '', shown, [company.id])).toEqual([]);
    await expect(db.as(null, shown, [company.id])).rejects.toThrow(/permission denied/);
    await expect(db.as(administrator, 'delete from cohort_figures')).rejects.toThrow(/permission denied/);
    const others = await db.as(administrator, 'select user_id from cohort_consents');
    expect(new Set(others.map(row => row['user_id']))).toEqual(new Set([administrator]));
  });

  test('nothing behind them is open to anybody who signs in: no table, no function, no secret', async () => {
    const closed = await db.asAdmin(
      `select format('select * from cohort.%I', c.relname) as ask from pg_class c where c.relnamespace = 'cohort'::regnamespace and c.relkind = 'r'
       union all select format('select cohort.%I(%s)', p.proname,
         (select string_agg('null::' || format_type(t, null), ', ') from unnest(p.proargtypes) t))
       from pg_proc p where p.pronamespace = 'cohort'::regnamespace`,
    );
    expect(closed.length).toBeGreaterThan(10);
    for (const { ask } of closed) {
      await expect(db.as(administrator, String(ask))).rejects.toThrow(/permission denied/);
    }
    await expect(db.as(administrator, `select cohort.sweep_cohorts('2030-01-01')`)).rejects.toThrow(
      /permission denied/,
    );
  });

  test('no device sets the day of its consent, nor an administrator that of a membership', async () => {
    const device = testDevice(db, pool[101] ?? '');
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      company.id,
      pool[101],
    ]);
    const id = '00000000-0000-4000-8000-00000000c0de';
    const patch = { user_id: pool[101], employer_id: company.id, created_at: '2020-01-01T00:00:00Z' };
    await device.push({ t: 'cohort_consents', id, op: 'insert', patch });
    const early = `select id from cohort_consents where user_id = $1 and created_at < now() - interval '1 day'`;
    expect(await db.asAdmin(early, [pool[101]])).toEqual([]);
    const [member] = await db.asAdmin(
      'select id from organization_members where user_id = $1 and organization_id = $2',
      [pool[101], company.id],
    );
    const back = { joined_at: '2020-01-01T00:00:00Z' };
    const edit = { t: 'organization_members', id: String(member?.['id']), op: 'update', patch: back } as const;
    await testDevice(db, administrator).push(edit);
    const since = `select since from cohort.membership where user_id = $1 and since < now() - interval '1 day'`;
    expect(await db.asAdmin(since, [pool[101]])).toEqual([]);
  });

  test('an administrator alone asks for them, from sixty people on, and the audit log says so', async () => {
    const set = (who: string, minimum: number) =>
      db.rpc(who, 'set_cohort_settings', { p_organization: company.id, p_on: true, p_minimum: minimum });
    await expect(set(person, 70)).rejects.toThrow(/not allowed/);
    await expect(set(administrator, 59)).rejects.toThrow(/sixty people/);
    await set(administrator, 70);
    const acts = await db.asAdmin('select detail from audit_entries where organization_id = $1 and act = $2', [
      company.id,
      'organization.wellness_figures',
    ]);
    expect(acts.map(row => row['detail'])).toEqual([{ on: true, minimum: 70 }]);
    const low = `update cohort_settings set minimum = 59 where organization_id = $1`;
    await expect(db.asAdmin(low, [company.id])).rejects.toThrow(/minimum/);
  });

  test('four weeks that ended are reckoned from the Wednesday after them on, where an organisation asks for it', async () => {
    const sweep = (now: string) => db.asAdmin('select cohort.sweep_cohorts($1)', [now]);
    await sweep('2026-02-03T23:59:00Z');
    expect(await figures(db, company)).toEqual([]);
    await sweep('2026-02-04T00:01:00Z');
    const first = await figures(db, company);
    expect(first.map(figure => figure.week)).toEqual([period(0), period(0), period(0)]);
    await sweep('2026-02-20T00:00:00Z');
    expect(await figures(db, company)).toEqual(first);
  });
});
