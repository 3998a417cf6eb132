import type { AuthChangeEvent, Session } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import type { GateEvents } from './auth-gate.ts';
import { hearSession } from './session-events.ts';
import { deviceAndServer, sam, session as kept } from '../session-for-tests.ts';

const moved = { ...sam, email: 'sam.reed@example.test' };

const librarySession = (id: string): Session => ({
  access_token: 'newer',
  refresh_token: 'r',
  expires_in: 3600,
  token_type: 'bearer',
  user: {
    id,
    email: moved.email,
    app_metadata: {},
    user_metadata: { full_name: 'Sam Reed' },
    aud: 'authenticated',
    created_at: '',
  },
});

async function signedIn() {
  const world = deviceAndServer({ current_user: sam, auth_session: kept });
  await world.controller.start();
  await expect.poll(() => world.server.events).not.toBeNull();
  const { events } = world.server;
  if (!events) throw new Error('the gate was not opened');
  await expect.poll(() => world.controller.snapshot()).toMatchObject({ verified: true });
  return { ...world, events };
}

const hear = (events: GateEvents, event: AuthChangeEvent, id = 'sam') => hearSession(event, librarySession(id), events);

test.each<AuthChangeEvent>(['INITIAL_SESSION', 'TOKEN_REFRESHED', 'PASSWORD_RECOVERY', 'MFA_CHALLENGE_VERIFIED'])(
  'R4.01 %s keeps the newer token of whoever is signed in',
  async event => {
    const { controller, settings, events } = await signedIn();
    hear(events, event);
    await expect.poll(() => settings.get('auth_session')).toMatchObject({ sessionToken: 'newer' });
    expect(controller.snapshot()).toMatchObject({ status: 'signed_in', user: sam });
  },
);

test.each<AuthChangeEvent>(['USER_UPDATED', 'SIGNED_IN'])(
  'R4.01 %s changes who is shown, on this device too',
  async event => {
    const { controller, settings, events } = await signedIn();
    hear(events, event);
    await expect.poll(() => controller.snapshot()).toMatchObject({ user: moved });
    await expect.poll(() => settings.get('current_user')).toEqual(moved);
  },
);

test('R4.01 signed out ends the session here and deletes no work', async () => {
  const { controller, events, server } = await signedIn();
  hearSession('SIGNED_OUT', null, events);
  await expect.poll(() => controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'refused' });
  expect(server.forgotten).toEqual([]);
});

test("somebody else's token, of another tab, is not kept for this person", async () => {
  const { controller, settings, events } = await signedIn();
  hear(events, 'SIGNED_IN', 'eve');
  hear(events, 'USER_UPDATED', 'eve');
  // A renewal of one's own afterwards has been kept: what came before it has been decided.
  hear(events, 'TOKEN_REFRESHED');
  await expect.poll(() => settings.get('auth_session')).toMatchObject({ sessionToken: 'newer' });
  expect(controller.snapshot()).toMatchObject({ user: sam });
  expect(settings.get('current_user')).toEqual(sam);
});
