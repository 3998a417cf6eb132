// @vitest-environment jsdom
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cleanup, render, screen } from '@testing-library/react';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { startI18n } from '../shared/i18n/start-i18n.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { deviceAndServer, sam, session } from './session/session-for-tests.ts';

beforeAll(async () => {
  await startI18n();
  // Read and compiled here, not in the time of whichever test asks for it first.
  await Promise.all([import('./signed-in-routes.ts'), import('./routes/signed-in.ts')]);
});
afterEach(cleanup);

const signedIn = { current_user: sam, auth_session: session };

/** Where somebody ends up who opens `path`. */
async function opened(
  path: string,
  kept: Parameters<typeof deviceAndServer>[0] = {},
  rows: MemoryRows = { user_preferences: [{ id: sam.id, user_id: sam.id }] },
): Promise<string> {
  history.replaceState(null, '', path);
  const { controller } = deviceAndServer(kept, memoryStore(rows, sam.id));
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

  test.each(['/learning', '/lms', '/contracts'])('%s, which is not built yet, stays what it is', async path => {
    expect(await opened(path, signedIn)).toBe(path);
  });

  test.each([
    ['/asset-management', '/assets'],
    ['/user-preferences', '/settings'],
  ])('the module name %s leads to its screen', async (path, at) => {
    expect(await opened(path, signedIn)).toBe(at);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example',
    '/auth?from=%2Fauth',
  ])('an address of another site (%s) is never returned to', async from => {
    expect(await opened(`/auth?from=${encodeURIComponent(from)}`, signedIn)).toBe('/dashboard');
  });

  test('the address kept before sign-in is opened', async () => {
    expect(await opened('/auth?from=%2Ftasks', signedIn)).toBe('/tasks');
  });
});

describe('the routes of signed-in screens', () => {
  const known = async (path: string, kept: Parameters<typeof deviceAndServer>[0] = {}) => {
    history.replaceState(null, '', path);
    const { controller } = deviceAndServer(kept, memoryStore({}, sam.id));
    await controller.start();
    const router = createAppRouter(controller);
    await router.load();
    return { paths: Object.keys(router.routesByPath), at: router.state.location.href };
  };

  test('are not there for somebody who opens the sign-in page', async () => {
    expect((await known('/auth')).paths).not.toContain('/tasks');
  });

  test('come with the first address that is theirs, with its search and its hash', async () => {
    const { paths, at } = await known('/tasks?view=board#late', signedIn);
    expect(paths).toContain('/policies/$policyId/edit');
    expect(at).toBe('/tasks?view=board#late');
  });
});

describe('in either state', () => {
  const states = [
    ['signed out', {}, '/auth'],
    ['signed in', signedIn, '/dashboard'],
  ] as const;

  test.each(states)('R2.05 R2.06 %s, addresses of an older wrapper lead on', async (_, kept, home) => {
    expect(await opened('/mobile/debug', kept)).toBe('/debug');
    expect(await opened('/mobile/minimal', kept)).toBe('/minimal');
    expect(await opened('/mobile/anything/else', kept)).toBe(home);
  });

  test.each(states)('R2.16 %s, a parameter opens the diagnostic screens from any address', async (_, kept) => {
    expect(await opened('/tasks?debug=true', kept)).toBe('/debug?from=%2Ftasks');
    expect(await opened('/?minimal=true', kept)).toBe('/minimal');
    expect(await opened('/debug?debug=true', kept)).toContain('/debug');
  });

  test.each(states)('R2.22 %s, an address that names a file leads to the not-found page, not home', async (_, kept) => {
    expect(await opened('/pictures/gone.png', kept)).toBe('/pictures/gone.png');
  });
});

describe('a person without saved preferences', () => {
  test('R2.24 is welcomed when they open /, and nowhere else', async () => {
    expect(await opened('/', signedIn, {})).toBe('/welcome');
    expect(await opened('/tasks', signedIn, {})).toBe('/tasks');
  });

  test('R2.01 who opens /auth signed in lands on the dashboard', async () => {
    for (const path of ['/auth', '/auth/sign-up', '/auth?from=//evil.example'])
      expect([path, await opened(path, signedIn, {})]).toEqual([path, '/dashboard']);
  });
});

test('R2.15 while the device is read a spinner stands on a protected route', () => {
  history.replaceState(null, '', '/dashboard');
  const { controller } = deviceAndServer();
  render(<App controller={controller} router={createAppRouter(controller)} />);
  expect(screen.getByRole('status').textContent).toBe('Loading');
});
