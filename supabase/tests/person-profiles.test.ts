import { beforeEach, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type ProfileAnswer = {
  name: string;
  is_shared: boolean;
  job_title: string | null;
  bio: string | null;
  seen_at: string | null;
} | null;

const profileOf = (by: string | null, person: string) =>
  db.rpc<ProfileAnswer>(by, 'person_profile', { p_person: person });

/** What the worker chose. */
const choose = (visibility: string, showsActivity = true) =>
  db.asAdmin(
    `insert into user_preferences (user_id, profile_visibility, show_activity_status) values ($1, $2, $3)
      on conflict (user_id) do update set profile_visibility = $2, show_activity_status = $3`,
    [world.worker, visibility, showsActivity],
  );

/** The stranger, of another company, helps the worker; the colleague does not. */
beforeEach(async () => {
  await db.asAdmin('delete from circle_relationships');
  await db.asAdmin('delete from user_preferences where user_id = $1', [world.worker]);
  await db.asAdmin(`update profiles set job_title = 'Driver', bio = 'Since 2019', phone = '+49 1' where id = $1`, [
    world.worker,
  ]);
  await db.asAdmin(
    `insert into circle_relationships (subject_id, helper_id, role, started_at) values ($1, $2, 'mentor_coach', now())`,
    [world.worker, world.stranger],
  );
  await db.asAdmin('delete from auth.sessions where user_id = $1', [world.worker]);
  await db.asAdmin(
    `insert into auth.sessions (id, user_id, created_at, updated_at, refreshed_at)
      values (gen_random_uuid(), $1, now() - interval '3 days', now(), '2026-11-20 09:47:31')`,
    [world.worker],
  );
  await db.asAdmin(`update auth.sessions set created_at = '2026-11-18 08:00+00' where user_id = $1`, [world.worker]);
});

test.each([
  ['public', true, true],
  ['members', true, false],
  ['private', false, true],
])('a profile that is %s is read by colleagues: %s, by the circle: %s', async (visibility, colleague, circle) => {
  await choose(visibility);
  const [seenAtWork, seenInCircle] = [
    await profileOf(world.colleague, world.worker),
    await profileOf(world.stranger, world.worker),
  ];
  expect([seenAtWork?.is_shared, seenAtWork?.job_title]).toEqual([colleague, colleague ? 'Driver' : null]);
  expect([seenInCircle?.is_shared, seenInCircle?.bio]).toEqual([circle, circle ? 'Since 2019' : null]);
  expect(seenAtWork?.name).toEqual(seenInCircle?.name);
  // Whatever they chose, the person sees their own, and nobody else their phone or address.
  expect(await profileOf(world.worker, world.worker)).toMatchObject({ is_shared: true, job_title: 'Driver' });
  expect(JSON.stringify([seenAtWork, seenInCircle])).not.toMatch(/\+49|@/);
});

test('when somebody was last here is told to colleagues by the hour, and to nobody once they hide it', async () => {
  expect((await profileOf(world.colleague, world.worker))?.seen_at).toBe('2026-11-20T09:00:00+00:00');
  expect((await profileOf(world.stranger, world.worker))?.seen_at).toBeNull();
  await choose('public', false);
  expect(await profileOf(world.colleague, world.worker)).toMatchObject({ seen_at: null, job_title: 'Driver' });
});

test('whoever is no colleague and not of the circle hears nothing, as of somebody who does not exist', async () => {
  await expect(profileOf(null, world.worker)).rejects.toMatchObject({ code: '42501' });
  expect(await profileOf(world.stranger, world.colleague)).toBeNull();
  expect(await profileOf(world.stranger, world.form)).toBeNull();
  await db.asAdmin(`update circle_relationships set state = 'ended' where subject_id = $1`, [world.worker]);
  expect(await profileOf(world.stranger, world.worker)).toBeNull();
  await db.asAdmin(
    `update organization_members set valid_until = now() - interval '1 minute' where user_id = $1 and organization_id = $2`,
    [world.colleague, world.organization],
  );
  expect(await profileOf(world.colleague, world.worker)).toBeNull();
  expect(await profileOf(world.worker, world.colleague)).toBeNull();
});

test('what was seen is in no table anybody may read', async () => {
  for (const person of [world.worker, world.admin, null])
    await expect(db.as(person, 'select presence.seen_at($1)', [world.worker])).rejects.toMatchObject({ code: '42501' });
});
