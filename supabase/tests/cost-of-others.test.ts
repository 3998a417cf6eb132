import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What somebody does, and what the clock does for everybody, costs by what it is about: not by what all others have, nor by its square. */
setUpWorld();

const NOW = '2026-11-21T20:00:00Z';
const SESSIONS = 1500;
let pair: string;

beforeAll(async () => {
  const [made] = await db.asAdmin(
    `insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'mentor_coach') returning id`,
    [world.stranger, world.colleague],
  );
  pair = String(made?.['id']);
  await db.asAdmin(
    `insert into circle_sessions (relationship_id, subject_id, helper_id, author_id, at, state, created_at)
     select $1, $2, $3, $2, $4::timestamptz + n * interval '2 seconds', 'planned', $4::timestamptz - interval '1 day' from generate_series(1, $5) n`,
    [pair, world.stranger, world.colleague, NOW, SESSIONS],
  );
  await db.asAdmin('analyze circle_sessions');
});

test('a derived id is judged by the sessions of who asks', async () => {
  const rows = async (person: string, id: string = randomUUID()) => {
    const [found] = await db.asAdmin(
      `with caller as materialized (select set_config('request.jwt.claims', jsonb_build_object('sub', $1::text, 'role', 'authenticated')::text, true),
           set_config('request.jwt.claim.sub', $1, true)),
         asked as materialized (select sync.is_self_derived('action_items', jsonb_build_object('id', $2::text, 'organization_id', $3::text)) as is_own from caller)
       select is_own, (select (s.seq_tup_read + coalesce(s.idx_tup_fetch, 0))::integer from pg_stat_xact_all_tables s
         where s.relid = 'circle_sessions'::regclass) as read from asked`,
      [person, id, world.organization],
    );
    return found;
  };
  expect(await rows(world.manager)).toMatchObject({ is_own: false, read: 0 });
  expect(Number((await rows(world.stranger))?.['read'])).toBeGreaterThan(0);
  const step = randomUUID();
  await db.asAdmin(
    `update circle_sessions set next_steps = jsonb_build_array(jsonb_build_object('id', $1::text, 'title', 'Call')) where at = $2::timestamptz + interval '2 seconds'`,
    [step, NOW],
  );
  expect(await rows(world.stranger, derivedId(step, 'action'))).toMatchObject({ is_own: true });
  expect(await rows(world.manager, derivedId(step, 'action'))).toMatchObject({ is_own: false, read: 0 });
});

test('a pair with very many sessions ahead is told of the next, without a copy of all for each', async () => {
  await db.asAdmin('delete from notifications; delete from inbox.sweep_mark');
  const [found] = await db.asAdmin(
    'explain (analyze, buffers, timing off, format json) select circle.sweep_sessions($1::timestamptz)',
    [NOW],
  );
  const [explained] = (found?.['QUERY PLAN'] ?? []) as { Plan: Record<string, unknown> }[];
  expect(explained?.Plan['Temp Written Blocks']).toBe(0);
  const told = await db.asAdmin(`select 1 from notifications where type = 'circle.session_soon' and user_id = $1`, [
    world.stranger,
  ]);
  expect(told).toHaveLength(1);
  await db.asAdmin('select circle.sweep_sessions($1)', [NOW]);
  const [kept] = await db.asAdmin('select count(*)::integer as n from inbox.sweep_mark');
  expect(kept).toEqual({ n: SESSIONS });
});
