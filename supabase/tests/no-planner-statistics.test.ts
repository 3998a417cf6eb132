import { describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What a hosted project runs before each request, and what the planner may know there. */
setUpWorld();

const check = (headers: object) =>
  db.as(world.worker, `select set_config('request.headers', $1, true), request.check_session()`, [
    JSON.stringify(headers),
  ]);

describe('before each request of a hosted project', () => {
  test.each([
    'count=planned',
    'count=estimated',
    'return=minimal, count = Planned',
    'count="estimated"',
    'COUNT=PLANNED;x=1',
  ])('Prefer: %s is refused', async prefer => {
    await expect(check({ prefer })).rejects.toMatchObject({ code: 'PT400' });
  });

  test('a plan is refused, and what clients of ours send goes on', async () => {
    await expect(check({ accept: 'application/vnd.pgrst.plan+json; options=analyze' })).rejects.toMatchObject({
      code: 'PT406',
    });
    for (const headers of [
      {},
      { prefer: 'count=exact' },
      { prefer: 'return=representation', accept: 'application/json' },
    ])
      expect(await check(headers)).toHaveLength(1);
    expect(await db.as(null, 'select request.check_session()')).toHaveLength(1);
  });
});

test('nothing is kept about the values of what is one person’s alone, in whichever table', async () => {
  const columns = await db.asAdmin(
    `select c.relname || '.' || a.attname as name, coalesce(a.attstattarget, -1) as target
     from pg_class c
     join pg_attribute s on s.attrelid = c.oid and s.attname = 'scopes' and s.attgenerated = 's'
     join pg_attrdef d on d.adrelid = c.oid and d.adnum = s.attnum
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_get_expr(d.adbin, d.adrelid) ~ 'user_scope'
       and pg_get_expr(d.adbin, d.adrelid) !~ '(org|place|site|team|member|holder)_scope'`,
  );
  expect(columns.map(({ name }) => String(name))).toContain('wellness_check_ins.user_id');
  expect(columns.filter(({ target }) => target !== 0)).toEqual([]);
  await db.asAdmin('analyze');
  const kept = await db.asAdmin(
    `select attname from pg_stats where schemaname = 'public' and tablename = 'wellness_check_ins'`,
  );
  expect(kept).toEqual([]);
});
