// @vitest-environment jsdom
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cleanup, render, screen } from '@testing-library/react';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { startI18n } from '../shared/i18n/start-i18n.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { deviceAndServer, sam, session } from './session/session-for-tests.ts';

beforeAll(() => startI18n());
afterEach(cleanup);

const signedIn = { current_user: sam, auth_session: session };

/** Where somebody ends up who opens `path`. */
async function opened(path: string, kept: Parameters<typeof deviceAndServer>[0] = {}): Promise<string> {
  history.replaceState(null, '', path);
  const store = memoryStore({ user_preferences: [{ id: 'sam', user_id: 'sam' }] }, 'sam');
  const { controller } = deviceAndServer(kept, store);
  await controller.start();
  const router = createAppRouter(controller);
  await router.load();
  return router.state.location.href;
}

describe('signed out', () => {
  test.each(['/dashboard', '/'])('R2.12 R2.14 %s leads to the sign-in page', async path => {
    expect(await opened(path)).toBe('/auth');
  });

  test('R2.14 a protected address is kept through sign-in', async () => {
    expect(await opened('/tasks?late=1')).toBe('/auth?from=%2Ftasks%3Flate%3D1');
  });

  test('R2.13 an unknown address leads to the sign-in page', async () => {
    expect(await opened('/no/such/page')).toBe('/auth');
  });
});

describe('signed in', () => {
  test.each(['/', '/no/such/page', '/auth'])('R2.01 R2.12 R2.13 %s leads to the dashboard', async path => {
    expect(await opened(path, signedIn)).toBe('/dashboard');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/auth?from=%2Fauth'])(
    'an address of another site (%s) is never returned to',
    async from => {
      expect(await opened(`/auth?from=${encodeURIComponent(from)}`, signedIn)).toBe('/dashboard');
    },
  );

  test('the address kept before sign-in is opened', async () => {
    expect(await opened('/auth?from=%2Ftasks', signedIn)).toBe('/tasks');
  });
});

test('R2.15 while the device is read a spinner stands on a protected route', () => {
  history.replaceState(null, '', '/dashboard');
  const { controller } = deviceAndServer();
  render(<App controller={controller} router={createAppRouter(controller)} />);
  expect(screen.getByRole('status').textContent).toBe('Loading');
});
