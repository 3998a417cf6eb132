// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ToastEvent, toasts, type ToastMessage } from '@cairn/ui/feedback/toast.ts';
import { startI18n } from '../i18n/start-i18n.ts';
import { recentErrors, RECENT_ERRORS_KEPT } from './recent-errors.ts';

let shown: ToastMessage[] = [];
const hear = (event: Event) => event instanceof ToastEvent && shown.push(event.message);

// Its texts can be added once the languages have started, as in the app.
let reportError: typeof import('./report-error.ts').reportError;
let reportUncaught: typeof import('./report-error.ts').reportUncaught;
beforeAll(async () => {
  await startI18n();
  ({ reportError, reportUncaught } = await import('./report-error.ts'));
});
beforeEach(() => {
  shown = [];
  toasts.addEventListener('toast', hear);
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  vi.useRealTimers();
});

describe('a failed operation', () => {
  test('R8.01 is titled "<operation> Failed"', async () => {
    reportError('Save', new Error('whatever'));
    await expect
      .poll(() => shown)
      .toEqual([{ title: 'Save Failed', description: 'An unexpected error occurred', tone: 'bad' }]);
  });

  /** What is said of an error with this message. */
  const toastOf = async (message: string): Promise<string | undefined> => {
    shown = [];
    reportError('Save', new Error(message));
    await expect.poll(() => shown).toHaveLength(1);
    return shown[0]?.description;
  };

  test('R8.02 names the end of the session where the token was refused', async () => {
    for (const message of ['JWT expired', 'invalid JWT: signature'])
      expect(await toastOf(message)).toBe('Your session has expired. Please sign in again.');
  });

  test('R8.03 names the missing right where the database denied it', async () => {
    for (const message of ['permission denied for table sites', 'blocked by RLS'])
      expect(await toastOf(message)).toBe("You don't have permission to perform this action.");
  });

  test('R8.04 names the network where the connection failed', async () => {
    for (const message of ['connection lost', 'network down'])
      expect(await toastOf(message)).toBe('Network error. Please check your connection and try again.');
  });

  test('R8.05 says that it exists where a value was taken', async () => {
    for (const message of ['duplicate key value', 'violates unique constraint'])
      expect(await toastOf(message)).toBe('This item already exists. Please try with different values.');
  });

  test('R8.06 says that it was not found where there was nothing', async () => {
    for (const message of ['row not found', 'Request failed with 404'])
      expect(await toastOf(message)).toBe('The requested item was not found.');
  });

  test('R8.07 leads to the sign-in where the address has an account', async () => {
    const sentence = 'An account with this email already exists. Please sign in instead.';
    expect(await toastOf('User already registered')).toBe(sentence);
  });

  test('R8.08 says that it was unexpected where nothing is known', async () => {
    expect(await toastOf('')).toBe('An unexpected error occurred');
  });
});

describe('an error nobody waited for', () => {
  test('R8.17 R9.08 shows "Error Occurred"; of 11 errors the latest 10 are kept, newest first', async () => {
    for (let n = 1; n <= 11; n++) reportUncaught(new Error(`boom ${n}`));
    await expect.poll(() => shown.length).toBe(11);
    expect(new Set(shown.map(({ title }) => title))).toEqual(new Set(['Error Occurred']));
    expect(RECENT_ERRORS_KEPT).toBe(10);
    expect(recentErrors().map(({ detail }) => detail)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Error: boom ${11 - index}`),
    );
  });

  test('a flood of the same one is said once in 5 s and kept each time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let n = 0; n < 4; n++) reportUncaught(new Error('flood'));
    await expect.poll(() => shown.length).toBe(1);
    vi.advanceTimersByTime(5000);
    reportUncaught(new Error('flood'));
    await expect.poll(() => shown.length).toBe(2);
    expect(recentErrors().filter(({ detail }) => detail === 'Error: flood')).toHaveLength(5);
  });

  test('what is kept holds no token and no address', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    const { detail } = reportUncaught(new Error(`refused ${token} for sam@example.test with ${'k'.repeat(44)}`));
    expect(detail).toBe('Error: refused … for … with …');
  });
});
