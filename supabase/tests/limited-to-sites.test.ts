import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Whoever is limited to chosen sites reads of no other: each table with a site or an asset, as REST would read it. */
setUpWorld();

/** What is somebody's own travels with them, wherever it stands. */
const OWN = `array['created_by', 'assignee_id', 'reviewer_id', 'conducted_by', 'assigned_to', 'answered_by', 'captured_by', 'reported_by',
  'conductor_id', 'user_id']`;

/** Who belongs where is read by everybody of the organisation (`rls-expectations.ts`). */
const OF_ALL = ['site_members', 'teams'];

let tables: { name: string; place: string }[] = [];
let limited = '';
let press = '';

beforeAll(async () => {
  // Nobody's work is theirs: a manager who came today.
  limited = await db.person(`${randomUUID()}@a.test`);
  await db.asAdmin(
    `insert into organization_members (organization_id, user_id, role, site_limited) values ($1, $2, 'manager', true)`,
    [world.organization, limited],
  );
  await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
    world.organization,
    world.south,
    limited,
  ]);
  press = String(
    (
      await db.asAdmin(`insert into assets (organization_id, site_id, name) values ($1, $2, 'Press') returning id`, [
        world.organization,
        world.south,
      ])
    )[0]?.['id'],
  );
  const place = { organization_id: world.organization, created_by: world.admin, created_at: new Date().toISOString() };
  const code = (more: Record<string, unknown>) => addRow(db, 'report_codes', { ...place, reports: 0, ...more });
  await code({ site_id: world.north });
  await code({ site_id: world.south, spot: 'South' });
  await code({ asset_id: world.asset });
  await code({ asset_id: press, spot: 'Press' });
  await code({ spot: 'All' });
  const found = await db.asAdmin(
    `select c.relname as name,
       case when bool_or(a.attname = 'site_id') then 'x.site_id' end as site,
       case when bool_or(a.attname = 'asset_id') then '(select s.site_id from public.assets s where s.id = x.asset_id)' end as asset
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname in ('site_id', 'asset_id') and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p') and has_table_privilege('authenticated', c.oid, 'select')
     group by 1 order by 1`,
  );
  tables = found.map(({ name, site, asset }) => ({
    name: String(name),
    place: `coalesce(${[site, asset].filter(each => typeof each === 'string').join(', ')})`,
  }));
});

describe('a manager limited to one site', () => {
  test('reads of no table a row that stands at another, unless it is their own', async () => {
    expect(tables.length).toBeGreaterThan(10);
    const elsewhere: string[] = [];
    for (const { name, place } of tables) {
      const all = await db.asAdmin(
        `select to_jsonb(x) ->> 'id' as id from public.${name} x
         where ${place} = $1 and not exists (select from unnest(${OWN}) c where to_jsonb(x) ->> c = $2)`,
        [world.north, limited],
      );
      const ids = new Set(all.map(({ id }) => id));
      const seen = await db.as(limited, `select to_jsonb(x) ->> 'id' as id from public.${name} x`);
      elsewhere.push(...seen.filter(({ id }) => ids.has(id)).map(() => name));
    }
    expect(elsewhere.toSorted()).toEqual(OF_ALL);
  });

  test('reads the codes of their site, of assets there, removed ones too, and of the whole organisation', async () => {
    const spots = async (person: string) =>
      (await db.as(person, 'select spot from report_codes where spot is not null order by spot')).map(
        ({ spot }) => spot,
      );
    expect(await spots(limited)).toEqual(['All', 'Press', 'South']);
    await db.asAdmin('update assets set deleted_at = now() where id = $1', [press]);
    expect(await spots(limited)).toEqual(['All', 'Press', 'South']);
    expect(await db.as(world.admin, 'select id from report_codes where asset_id = $1', [world.asset])).toHaveLength(1);
    expect((await db.as(world.manager, 'select id from report_codes')).length).toBeGreaterThan(4);
  });
});
