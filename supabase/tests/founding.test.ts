import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const founding = (id: string, patch: Record<string, unknown> = {}) =>
  ({ t: 'organizations', id, op: 'insert', patch: { name: 'Bakery', ...patch } }) as const;

describe('founding a company from a device', () => {
  test('its founder is the administrator, and work in it goes through with the same push', async () => {
    const founder = await db.person('founder@x.test');
    const device = testDevice(db, founder);
    const [company, site] = [randomUUID(), randomUUID()];
    const results = await device.push(
      founding(company, { settings: { industry: 'food' } }),
      { t: 'sites', id: site, op: 'insert', patch: { organization_id: company, name: 'Shop' } },
      { t: 'assets', op: 'insert', patch: { organization_id: company, site_id: site, name: 'Oven' } },
    );
    expect(results).toMatchObject([{ st: 'applied' }, { st: 'applied' }, { st: 'applied' }]);
    expect(await db.as(founder, 'select role from organization_members where organization_id = $1', [company])).toEqual(
      [{ role: 'admin' }],
    );
    await device.pull();
    expect(device.has('organizations', company)).toBe(true);
    expect(device.has('sites', site)).toBe(true);
  });

  test('the server decides kind, slug, founder and sample; nothing else of them is taken from the device', async () => {
    const founder = await db.person('honest@x.test');
    const other = await db.person('other@x.test');
    const company = randomUUID();
    const claims = { kind: 'private', slug: 'mine', created_by: other, sample: true };
    const [result] = await testDevice(db, founder).push(founding(company, claims));
    expect(result).toMatchObject({ st: 'applied' });
    const [row] = await db.asAdmin('select kind, slug, created_by, sample from organizations where id = $1', [company]);
    expect(row).toEqual({ kind: 'company', slug: `company-${company}`, created_by: founder, sample: false });
  });

  test('sample data is asked for at the founding only, and its founder removes it whole', async () => {
    const founder = await db.person('curious@x.test');
    const [sample, real] = [randomUUID(), randomUUID()];
    const device = testDevice(db, founder);
    await device.push(founding(sample, { settings: { sample: true } }), founding(real));
    const base = { settings: {} };
    await device.push({
      t: 'organizations',
      id: real,
      op: 'update',
      patch: { settings: { sample: true } },
      base,
      bv: 1,
    });
    await expect(db.rpc(founder, 'remove_sample_data', { organization_id: real })).rejects.toMatchObject({
      code: '42501',
    });
    await db.rpc(founder, 'remove_sample_data', { organization_id: sample });
    expect(await db.as(founder, `select id from organizations where kind = 'company'`)).toEqual([{ id: real }]);
  });

  test('nobody founds past sync_push, signed out, or more than 20 companies', async () => {
    const founder = await db.person('eager@x.test');
    const direct = `insert into organizations (name, slug) values ('Past', 'past')`;
    await expect(db.as(founder, direct)).rejects.toMatchObject({ code: '42501' });
    await expect(db.as(null, direct)).rejects.toMatchObject({ code: '42501' });
    const results = await testDevice(db, founder).push(...Array.from({ length: 21 }, () => founding(randomUUID())));
    expect(results.map(({ st }) => st)).toEqual([...Array.from({ length: 20 }, () => 'applied'), 'rejected']);
  });

  test('a founder who left sees the company no more, not even while pushing', async () => {
    const founder = await db.person('left@x.test');
    const company = randomUUID();
    const device = testDevice(db, founder);
    await device.push(founding(company));
    const next = await db.person('next@x.test');
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      company,
      next,
    ]);
    await db.asAdmin('update organization_members set deleted_at = now() where organization_id = $1 and user_id = $2', [
      company,
      founder,
    ]);
    const base = { name: 'Bakery' };
    const edit = { t: 'organizations', id: company, op: 'update', patch: { name: 'Mine again' }, base, bv: 1 } as const;
    expect(await device.push(edit)).toMatchObject([{ st: 'conflict', kind: 'missing_or_hidden', row: null }]);
  });
});
