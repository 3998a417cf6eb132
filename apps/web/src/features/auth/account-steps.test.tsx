// @vitest-environment jsdom
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { ToastEvent, toasts } from '@cairn/ui/feedback/toast.ts';
import { AuthRefused, type AuthFlows, type AuthRefusal } from '../../shared/auth/auth-flows.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { startI18n } from '../../shared/i18n/start-i18n.ts';
import { useEmailRequest, useNewPassword, useSignUp } from './account-steps.ts';
import { SignUpForm } from './sign-up-form.tsx';

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('authSteps');
});
let shownToasts: string[];
const hear = (event: Event) => {
  if (event instanceof ToastEvent) shownToasts.push(`${event.message.title}: ${event.message.description ?? ''}`);
};
beforeEach(() => {
  shownToasts = [];
  toasts.addEventListener('toast', hear);
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  cleanup();
});

type Answer = 'done' | AuthRefusal | 'offline';

/** The authentication service at the edge: what it does with the next step. */
const reaching = (answer: Answer) => async (): Promise<AuthFlows> => {
  if (answer === 'offline') throw new Failure('offline', 'no network');
  const step = async () => {
    if (answer !== 'done') throw new AuthRefused(answer);
    return null;
  };
  return { signUp: step, recover: step, setPassword: step } as unknown as AuthFlows;
};

const answers: [Answer, boolean][] = [
  ['done', true],
  [{ kind: 'weak', reasons: ['length'] }, false],
  ['offline', false],
];
const wanted = { fullName: 'Sam', email: ' Sam@Example.test ', password: 'a-long-walk-uphill' };
const nobody = async () => undefined;

describe('the steps of an account resolve to whether they were done', () => {
  test.each(answers)('R5.10 a sign-up that ends with %j: %s', async (answer, isDone) => {
    const emails: string[] = [];
    const given = { returnTo: '', onSignedIn: nobody, onEmailSent: (email: string) => void emails.push(email) };
    const { result } = renderHook(() => useSignUp({ ...given, flows: reaching(answer) }));
    expect(await act(() => result.current.signUp(wanted))).toBe(isDone);
    expect(emails).toEqual(isDone ? ['sam@example.test'] : []);
    expect(result.current.refusal === null).toBe(isDone);
    expect(await act(() => result.current.signUp({ ...wanted, password: '' }))).toBe(false);
  });

  test.each(answers)('R5.11 a letter to reset the password that ends with %j: %s', async (answer, isDone) => {
    const send = async (email: string) => (await reaching(answer)()).recover(email, '');
    const { result } = renderHook(() => useEmailRequest({ send, onSent: () => undefined }));
    expect(await act(() => result.current.ask('sam@example.test'))).toBe(isDone);
    expect(await act(() => result.current.ask('nobody'))).toBe(false);
  });

  test.each(answers)('R5.11 a new password that ends with %j: %s', async (answer, isDone) => {
    const { result } = renderHook(() => useNewPassword({ flows: reaching(answer), onDone: nobody }));
    expect(await act(() => result.current.update('a-long-walk-uphill'))).toBe(isDone);
    expect(shownToasts).toEqual(isDone ? ['Password changed: '] : []);
  });
});

test('R5.10 what refused a sign-up is said in a toast and stands above the fields', async () => {
  const given = { returnTo: '', email: 'sam@example.test', onSignedIn: nobody, onEmailSent: () => undefined };
  render(<SignUpForm {...given} flows={reaching('offline')} />);
  await userEvent.type(screen.getByLabelText('Password'), 'a-long-walk-uphill');
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  const sentence = 'Network error. Please check your connection and try again.';
  await expect.poll(() => shownToasts).toEqual([`Sign Up Failed: ${sentence}`]);
  expect(screen.getByText(sentence)).toBeDefined();
});
