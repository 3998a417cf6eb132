// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SealFailure } from '@cairn/sync/crypto/password-seal.ts';
import type { StoredSessionStatus } from '@cairn/sync/transport/session-rules.ts';
import { ToastEvent, toasts } from '@cairn/ui/feedback/toast.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { startI18n } from '../../shared/i18n/start-i18n.ts';
import { LockGate } from './lock-gate.tsx';
import { lockMemory } from './lock-memory.ts';
import { LockContext, type LockPorts } from './lock-ports.ts';

const ports = (given: Partial<LockPorts> & { is?: StoredSessionStatus } = {}): LockPorts => ({
  owner: 'sam',
  email: 'sam@example.test',
  verified: false,
  sessionStatus: async () => given.is ?? 'valid',
  hasKey: async () => true,
  open: async password => {
    if (password !== 'right') throw new SealFailure('decrypt');
    return new Uint8Array(32);
  },
  native: async () => null,
  pendingCount: async () => 0,
  signInAgain: async () => undefined,
  ...given,
});

let shownToasts: string[];
const hear = (event: Event) => {
  if (event instanceof ToastEvent) shownToasts.push(`${event.message.title}: ${event.message.description ?? ''}`);
};
beforeEach(async () => {
  await startI18n('en');
  await loadTexts('lock');
  localStorage.clear();
  shownToasts = [];
  toasts.addEventListener('toast', hear);
  // jsdom knows the element, not what it can do.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  cleanup();
});

const show = (given: LockPorts) =>
  render(
    <LockGate ports={given} whileAsking={<p>asking</p>}>
      <p>the app</p>
      <LockContext.Consumer>{lock => <p>{lock?.isLimited ? 'limited' : 'whole'}</p>}</LockContext.Consumer>
    </LockGate>,
  );
const unlock = async (password: string) => {
  await userEvent.type(await screen.findByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
};

test('a session under 24 h old opens the app', async () => {
  show(ports());
  expect(await screen.findByText('the app')).toBeTruthy();
  expect(screen.getByText('whole')).toBeTruthy();
});

test('R4.09 an older one asks for the password, which opens it in limited mode', async () => {
  show(ports({ is: 'locked' }));
  await unlock('wrong');
  await screen.findByText('Wrong password');
  expect(screen.queryByText('the app')).toBeNull();
  await userEvent.clear(screen.getByLabelText('Password'));
  await unlock('right');
  expect(await screen.findByText('the app')).toBeTruthy();
  expect(screen.getByText('limited')).toBeTruthy();
  expect(shownToasts).toEqual(['Authentication Successful: ']);
});

test('after 30 days, or with no key, only a sign-in opens it', async () => {
  show(ports({ is: 'over' }));
  expect(await screen.findByText(/^Your password alone cannot unlock Cairn on this device\./)).toBeTruthy();
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test("the server's word opens an old session with no password", async () => {
  show(ports({ is: 'locked', verified: true }));
  expect(await screen.findByText('the app')).toBeTruthy();
  expect(screen.getByText('whole')).toBeTruthy();
});

test('R8.31 a sign-in that cannot be reached says so', async () => {
  show(ports({ is: 'locked', signInAgain: () => Promise.reject(new Error('no auth')) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
  await waitFor(() => expect(shownToasts).toEqual(['Authentication Error: Web authentication not available']));
});

test('R8.32 a wrapper that lacks a plugin says so, and the password still opens', async () => {
  show(ports({ is: 'locked', native: () => Promise.reject(new Error('no plugin')) }));
  await waitFor(() =>
    expect(shownToasts).toEqual(['Authentication Warning: Some mobile features may not be available']),
  );
  await unlock('right');
  expect(await screen.findByText('the app')).toBeTruthy();
});

test('R4.06 a browser offers no biometric unlock', async () => {
  show(ports({ is: 'locked' }));
  await screen.findByLabelText('Password');
  expect(screen.queryByRole('button', { name: /biometrics/i })).toBeNull();
});

test('the app lock is due after the time chosen, also when the clock was set back', () => {
  const memory = lockMemory('sam');
  expect(memory.isDue(0)).toBe(false);
  memory.setAfter(5);
  memory.see(1_000_000);
  expect([memory.isDue(1_299_999), memory.isDue(1_300_000), memory.isDue(999_999)]).toEqual([false, true, true]);
  memory.setAfter(null);
  expect(memory.isDue(9_999_999)).toBe(false);
});

test('locked by hand, it stays locked over a reload until somebody unlocks it', async () => {
  const memory = lockMemory('sam');
  memory.lock();
  expect(memory.isDue(Date.now())).toBe(true);
  const { unmount } = show(ports({ verified: true }));
  await unlock('right');
  expect(await screen.findByText('the app')).toBeTruthy();
  unmount();
  show(ports({ verified: true }));
  expect(await screen.findByText('the app')).toBeTruthy();
});

test('somebody who was away too long unlocks with the password', async () => {
  lockMemory('sam').setAfter(1);
  lockMemory('sam').see(Date.now() - 61_000);
  show(ports({ verified: true }));
  await unlock('right');
  expect(await screen.findByText('the app')).toBeTruthy();
});

test('the lock says what waits before somebody signs in again, and hands nothing out', async () => {
  show(ports({ is: 'locked', pendingCount: async () => 2 }));
  await screen.findByText('2 items on this device have not been sent yet. They will be here when you sign in again.');
  expect(screen.queryByRole('button', { name: /file|save/i })).toBeNull();
});
