// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ToastEvent, toasts, type ToastMessage } from '@cairn/ui/toast.ts';
import { startI18n } from './i18n/start-i18n.ts';
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

  test.each([
    ['R8.02', 'JWT expired', 'Your session has expired. Please sign in again.'],
    ['R8.03', 'permission denied', "You don't have permission to perform this action."],
    ['R8.03', 'RLS', "You don't have permission to perform this action."],
    ['R8.04', 'connection lost', 'Network error. Please check your connection and try again.'],
    ['R8.04', 'network down', 'Network error. Please check your connection and try again.'],
    ['R8.05', 'duplicate key', 'This item already exists. Please try with different values.'],
    ['R8.05', 'unique constraint', 'This item already exists. Please try with different values.'],
    ['R8.06', 'not found', 'The requested item was not found.'],
    ['R8.06', '404', 'The requested item was not found.'],
    ['R8.07', 'User already registered', 'An account with this email already exists. Please sign in instead.'],
    ['R8.08', '', 'An unexpected error occurred'],
  ])('%s "%s" is said as "%s"', async (_row, message, sentence) => {
    reportError('Save', new Error(message));
    await expect.poll(() => shown[0]?.description).toBe(sentence);
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
