// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import diagnostics from '../../shared/i18n/en/diagnostics.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { platformBridge } from '../native/platform-bridge.ts';
import { deviceAndServer, sam, session } from '../session/session-for-tests.ts';
import type { Check, Outcome } from './check.ts';
import { deviceChecks } from './device-checks.ts';
import { DiagnosticsScreen } from './diagnostics-screen.tsx';

beforeAll(async () => {
  await startI18n();
  addTexts('diagnostics', diagnostics);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(checks: readonly Check[]) {
  const routeTree = createRootRoute({ component: () => <DiagnosticsScreen checks={checks} /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  // The app's own router has other routes; here only the screen is looked at.
  render(<RouterProvider router={router as never} />);
}

const item = (name: string) =>
  within(screen.getByRole('list', { name: 'Diagnostics' }))
    .getByText(name)
    .closest('li');

test('R4.31 every item is pending until it has told, then success, warning or error; Refresh looks again', async () => {
  let tell: (outcome: Outcome) => void = () => undefined;
  const slow: Check = { id: 'slow', name: 'Slow', look: () => new Promise(resolve => (tell = resolve)) };
  const outcomes: Record<string, () => Promise<Outcome>> = {
    Fine: async () => ({ state: 'success', text: 'fine' }),
    Odd: async () => ({ state: 'warning', text: 'have a look' }),
    Thrown: async () => {
      throw new Error('no such store');
    },
  };
  const checks = Object.entries(outcomes).map(([name, look]) => ({ id: name, name, look }));
  await show([slow, ...checks]);

  await expect.poll(() => item('Fine')?.dataset['state']).toBe('success');
  expect(item('Odd')?.dataset['state']).toBe('warning');
  expect(item('Thrown')?.dataset['state']).toBe('error');
  expect(item('Thrown')?.textContent).toContain('no such store');
  expect(item('Slow')?.dataset['state']).toBe('pending');
  act(() => tell({ state: 'success', text: 'came' }));
  await expect.poll(() => item('Slow')?.dataset['state']).toBe('success');

  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(item('Slow')?.dataset['state']).toBe('pending');
});

test('R2.02 platform, session, storage, role context and path are looked at, and none tells a token or a name', async () => {
  const { controller } = deviceAndServer({ current_user: sam, auth_session: session });
  await controller.start();
  const { getFixedT } = await import('i18next');
  const subject = { t: getFixedT(null, 'diagnostics'), controller, bridge: platformBridge({}), path: '/tasks' };
  const checks = deviceChecks(subject);
  expect(checks.map(({ name }) => name)).toEqual([
    'Platform',
    'Sign-in',
    'Offline storage',
    'Role context',
    'Current path',
  ]);
  const told = await Promise.all(checks.map(({ look }) => look().catch(String)));
  expect(JSON.stringify(told)).not.toMatch(/token|sam@|Sam Reed/);
  expect(told[4]).toEqual({ state: 'success', text: '/tasks' });
});

const native = platformBridge({ Capacitor: { getPlatform: () => 'android', isNativePlatform: () => true } });

/** The overlay of a wrapper on Android; its texts are asked for once the languages stand. */
async function showOverlay(): Promise<{ over: number }> {
  const { StartUpOverlay, OVERLAY_MS } = await import('../native/start-up-overlay.tsx');
  const { controller } = deviceAndServer();
  await controller.start();
  render(<StartUpOverlay bridge={native} controller={controller} />);
  return { over: OVERLAY_MS };
}

test('R2.27 in a native wrapper the start-up overlay shows how four checks ended', async () => {
  expect(native).toEqual({ platform: 'android', isNative: true });
  await showOverlay();
  const names = screen.getAllByRole('listitem').map(each => each.textContent?.replace(/(Checking|OK)$/, ''));
  expect(names).toEqual(['Platform bridge', 'Sign-in', 'Offline storage', 'Screen']);
  await expect.poll(() => screen.queryAllByText('OK').length).toBe(4);
});

test('R9.24 the start-up overlay goes after 3 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { over } = await showOverlay();
  expect(over).toBe(3000);
  act(() => void vi.advanceTimersByTime(2999));
  expect(screen.queryByLabelText('Starting Cairn')).not.toBeNull();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByLabelText('Starting Cairn')).toBeNull();
});

test.each([{}, { Capacitor: null }, { Capacitor: { getPlatform: () => 'web', isNativePlatform: () => false } }])(
  'without a native wrapper (%j) the app runs on the web',
  scope => {
    expect(platformBridge(scope)).toEqual({ platform: 'web', isNative: false });
  },
);
