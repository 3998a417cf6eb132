// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ToastEvent, toasts } from '@cairn/ui/feedback/toast.ts';
import { startI18n } from '../../shared/i18n/start-i18n.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { App } from '../app.tsx';
import { createAppRouter } from '../router.tsx';
import type { LoginFailure } from '../session/auth/auth-gate.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { deviceAndServer, sam, session } from '../session/session-for-tests.ts';
import { SignOutButton } from '../shell/leave/sign-out-button.tsx';

let shownToasts: string[];
const hear = (event: Event) => {
  if (event instanceof ToastEvent) shownToasts.push(`${event.message.title}: ${event.message.description ?? ''}`);
};

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('shell');
});
beforeEach(() => {
  shownToasts = [];
  toasts.addEventListener('toast', hear);
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  cleanup();
});

/** The sign-in page in a browser, and the pretended server behind the session. */
async function signInPage() {
  history.replaceState(null, '', '/auth');
  const parts = deviceAndServer();
  parts.server.flows = { ...parts.server.flows, providers: async () => [] };
  await parts.controller.start();
  render(<App controller={parts.controller} router={createAppRouter(parts.controller)} />);
  await screen.findByLabelText('Email');
  return parts;
}

async function fill(email: string, password: string): Promise<void> {
  if (email !== '') await userEvent.type(screen.getByLabelText('Email'), email);
  if (password !== '') await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('the sign-in page', () => {
  test('R7.14 R8.49 in a browser the form goes through the session of the page, which alone asks the server', async () => {
    const { controller, server } = await signInPage();
    expect(server.asked).toEqual([]);
    await fill(' Sam@Example.test ', 'secret');
    await expect.poll(() => shownToasts).toEqual(['Login Successful: ']);
    expect(server.asked).toEqual(['signIn sam@example.test secret']);
    expect(controller.snapshot()).toMatchObject({ status: 'signed_in', user: sam, verified: true });
  });

  const failures: [LoginFailure, string][] = [
    [{ kind: 'invalid' }, 'Invalid email or password'],
    [{ kind: 'unconfirmed' }, 'Please confirm your email before logging in'],
    [{ kind: 'no_session' }, 'No session returned from server'],
    [{ kind: 'network' }, 'Network error. Please check your connection and try again.'],
    [
      { kind: 'other', name: 'AuthApiError', status: 500, code: null, message: 'odd' },
      'Login failed (AuthApiError, 500): odd',
    ],
  ];
  test.each(failures)('R8.25 a sign-in that failed (%j) is titled "Login Failed"', async (failure, text) => {
    const { server, controller } = await signInPage();
    server.signIn = { ok: false, failure };
    await fill('sam@example.test', 'secret');
    await expect.poll(() => shownToasts).toEqual([`Login Failed: ${text}`]);
    expect(controller.snapshot().status).toBe('signed_out');
  });

  test('R8.25 so is one with nothing filled in', async () => {
    await signInPage();
    await fill('', '');
    await expect.poll(() => shownToasts).toEqual(['Login Failed: Email and password are required']);
  });
});

describe('the button that signs out', () => {
  async function signedIn() {
    const parts = deviceAndServer({ current_user: sam, auth_session: session });
    await parts.controller.start();
    render(
      <SessionProvider controller={parts.controller}>
        <SignOutButton />
      </SessionProvider>,
    );
    return parts;
  }

  test('R7.14 R8.49 goes through the session of the page and says "Logout Successful"', async () => {
    const { controller, server } = await signedIn();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    await expect.poll(() => shownToasts).toEqual(['Logout Successful: ']);
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
    await expect.poll(() => server.asked).toContain('signOut');
  });

  test('R8.41 says "Logout Error" where the device could not forget, and can be pressed again', async () => {
    const { controller } = await signedIn();
    controller.opened().settings.remove = () => Promise.reject(new Error('the disk is gone'));
    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    await expect.poll(() => shownToasts).toEqual(['Logout Error: Failed to logout properly']);
    expect(controller.snapshot().status).toBe('signed_in');
    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    await expect.poll(() => shownToasts).toHaveLength(2);
  });
});
