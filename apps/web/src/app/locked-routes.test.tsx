// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanup, render, screen } from '@testing-library/react';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { kioskMemory } from '../features/policies/kiosk/kiosk-memory.ts';
import { lockMemory } from '../features/lock/lock-memory.ts';
import { loadTexts } from '../shared/i18n/load-texts.ts';
import { startI18n } from '../shared/i18n/start-i18n.ts';
import { App } from './app.tsx';
import { publicRoutes } from './public-routes.ts';
import { createAppRouter } from './router.tsx';
import { deviceAndServer, sam, session } from './session/session-for-tests.ts';

/** What strangers open, and what shows nothing of whoever is signed in and does nothing for them. */
const FOR_STRANGERS: string[] = ['/report/$token', '/verify/$code', '/guest/$token', '/minimal'];
const LOCKED = publicRoutes
  .map(({ options }) => ('path' in options ? options.path : ''))
  .filter(path => !FOR_STRANGERS.includes(path))
  .map(path => path.replace('$step', 'sign-up').replace('$', 'x'));
const WITH_TOKENS = [
  '/auth/return#access_token=a&refresh_token=r&expires_in=3600&token_type=bearer&type=magiclink',
  '/invitation?partner_link_token=t',
];

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('lock', 'authSteps', 'auth', 'diagnostics');
  await Promise.all([import('./signed-in-routes.ts'), import('./routes/signed-in.ts')]);
  await import('../features/lock/lock-screen.tsx');
});
beforeEach(() => {
  localStorage.clear();
  // jsdom knows the element, not what it can do.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
});
afterEach(cleanup);

async function open(path: string) {
  history.replaceState(null, '', path);
  const kept = { current_user: sam, auth_session: session };
  const { controller } = deviceAndServer(
    kept,
    memoryStore({ user_preferences: [{ id: sam.id, user_id: sam.id }] }, sam.id),
  );
  await controller.start();
  const router = createAppRouter(controller);
  render(<App controller={controller} router={router} />);
  return router;
}

describe('while the app is locked', () => {
  beforeEach(() => {
    lockMemory(sam.id).setAfter(1);
    lockMemory(sam.id).see(Date.now() - 61_000);
  });

  test.each([...LOCKED, ...WITH_TOKENS])('%s shows the lock and nothing else', async path => {
    await open(path);
    expect(await screen.findByRole('button', { name: 'Sign in again' }, { timeout: 10_000 })).toBeTruthy();
    // Of the lock itself, and of nothing behind it.
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(buttons.filter(words => /switch|accept|join|continue|use/i.test(words ?? ''))).toEqual([]);
    expect(document.querySelectorAll('main').length).toBe(0);
  });
});

test.each(['/debug', ...WITH_TOKENS])('at a kiosk %s leads to the kiosk', async path => {
  kioskMemory(sam.id).keep({
    organizationId: 'o',
    policyId: 'p',
    placeId: null,
    serverState: { answered: [], pins: [] },
  });
  const router = await open(path);
  await expect.poll(() => router.state.location.pathname, { timeout: 10_000 }).toBe('/dashboard');
});

test('unlocked, the screen is there', async () => {
  await open('/debug');
  expect(await screen.findByRole('heading', { level: 1 }, { timeout: 10_000 })).toBeTruthy();
});
