import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';
import { loggedRead } from './logged-read.ts';

setUpWorld();
let relationship: string;
beforeAll(async () => {
  relationship = randomUUID();
  await db.asAdmin('delete from circle_relationships');
  await db.asAdmin('delete from wellness_check_ins');
  await db.asAdmin(
    `insert into circle_relationships (id, subject_id, helper_id, role) values ($1, $2, $3, 'mentor_coach')`,
    [relationship, world.worker, world.stranger],
  );
  await db.asAdmin(
    `insert into consent_grants (relationship_id, subject_id, helper_id, role, scope, level, valid_from)
     values ($1, $2, $3, 'mentor_coach', 'wellness', 'summary', now() - interval '1 hour')`,
    [relationship, world.worker, world.stranger],
  );
});

type View = { parts: { data: { week: string; n: number | null; mood: number }[] }[] };
const seen = async () =>
  (await loggedRead<View>(db, world.stranger, 'read_circle', { p_relationship: relationship })).parts[0]?.data;

/** `before`: how many weeks before this one; negative days lie in the weeks before its Monday. */
const checkIn = (before: number, day: number, mood: number) =>
  db.asAdmin(
    `insert into wellness_check_ins (user_id, day, at, mood, energy, stress)
     values ($1, date_trunc('week', (now() at time zone 'UTC') - interval '12 hours')::date - $2::int * 7 + $3::int, now(), $4, 3, 2)`,
    [world.worker, before, day, mood],
  );

test('a helper sees weeks that are over, as they were first shown, and of few answers no number', async () => {
  for (const mood of [1, 5]) await checkIn(0, 0, mood);
  expect(await seen()).toEqual([]);
  for (const mood of [2, 4]) await checkIn(1, 1, mood);
  for (const mood of [1, 2, 3, 4, 5]) await checkIn(2, 1, mood);
  const first = await seen();
  expect(first).toMatchObject([
    { n: 5, mood: 3 },
    { n: null, mood: 3 },
  ]);
  await checkIn(1, 2, 5);
  await checkIn(2, 2, 1);
  expect(await seen()).toEqual(first);
  await db.asAdmin('delete from wellness_check_ins');
  expect(await seen()).toEqual([]);
});

test('a week that its person took an answer out of is shown to nobody any more', async () => {
  await db.asAdmin('delete from wellness_check_ins');
  await db.asAdmin('delete from sync.wellness_week');
  for (const [day, mood] of [2, 3, 4].entries()) await checkIn(1, day, mood);
  expect(await seen()).toMatchObject([{ mood: 3 }]);
  await db.asAdmin('update wellness_check_ins set deleted_at = now() where mood = 2');
  expect(await seen()).toEqual([]);
  expect(await db.asAdmin('select mood from sync.wellness_week')).toEqual([{ mood: null }]);
});

test('fifty invitations a day are fifty, also when they are asked for at once', async () => {
  await db.asAdmin('delete from circle_invitations');
  const ask = () =>
    db
      .rpc(world.worker, 'invite_to_circle', { p_role: 'mentor_coach', p_purpose: 'x', p_wanted: JSON.stringify([]) })
      .then(
        () => true,
        () => false,
      );
  const made = await Promise.all(Array.from({ length: 60 }, ask));
  expect(made.filter(Boolean)).toHaveLength(50);
});
