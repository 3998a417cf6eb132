// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import rescue from '../../../shared/i18n/en/rescue.json';
import shell from '../../../shared/i18n/en/shell.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SessionProvider } from '../../session/session-context.tsx';
import { deviceAndServer } from '../../session/session-for-tests.ts';
import { useLeaveQuestion } from './use-leave-question.tsx';

beforeAll(async () => {
  await startI18n();
  addTexts('shell', shell);
  addTexts('sync', sync);
});
afterEach(cleanup);

/** The dialog is fetched when it is first asked for: on a busy machine that takes its time. */
const LATE = { timeout: 20_000 };

/** Somebody about to leave; `heard` collects how they answered. */
async function leaving(pending: { records: number; files: number }, { hasPassword = true, isStaying = false } = {}) {
  const { controller, server } = deviceAndServer();
  server.pending = pending;
  await controller.start();
  await controller.signIn('sam@example.test', 'secret');
  const state = controller.snapshot();
  if (state.status === 'signed_in') state.engine.offlineChoice.isOn = () => isStaying;
  if (!hasPassword) await controller.opened().dataKeys.letGo('sam');
  const heard: unknown[] = [];
  function Leaver() {
    const { ask, question } = useLeaveQuestion();
    return (
      <>
        <button onClick={() => void ask().then(answer => heard.push(answer))}>Leave</button>
        {question}
      </>
    );
  }
  render(
    <SessionProvider controller={controller}>
      <Leaver />
    </SessionProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  return heard;
}

test('with nothing unsent nobody is asked', async () => {
  const heard = await leaving({ records: 0, files: 0 });
  await expect.poll(() => heard).toEqual([{ words: null }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  { isStaying: false, says: rescue.leave.waitText },
  { isStaying: true, says: sync.send.stayingText },
])('what waiting leads to is said, also while the device stays offline ($isStaying)', async ({ isStaying, says }) => {
  await leaving({ records: 1, files: 0 }, { isStaying });
  expect(await screen.findByText(says, {}, LATE)).toBeTruthy();
});

test('with unsent work one waits, or leaves it here closed by the password', async () => {
  const heard = await leaving({ records: 1, files: 1 });
  await userEvent.click(await screen.findByRole('button', { name: 'Wait and stay signed in' }, LATE));
  await expect.poll(() => heard).toEqual([null]);
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  const keep = await screen.findByRole('button', { name: 'Sign out and keep it here, locked' }, LATE);
  await expect.poll(() => keep.getAttribute('aria-disabled') ?? String(keep.hasAttribute('disabled'))).toBe('false');
  await userEvent.click(keep);
  await expect.poll(() => heard).toEqual([null, { words: null }]);
});

test('without a password words are asked for, and short ones are not taken', async () => {
  const heard = await leaving({ records: 1, files: 0 }, { hasPassword: false });
  await screen.findByText(
    'You signed in without a password. Choose a passphrase to unlock your work when you next sign in on this device.',
    {},
    LATE,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Sign out and keep it here, locked' }));
  const words = await screen.findByLabelText('Passphrase');
  await userEvent.type(words, 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  await screen.findByText('Use at least 12 characters.');
  expect(heard).toEqual([]);
  await userEvent.clear(words);
  await userEvent.type(words, 'words of my own');
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  await expect.poll(() => heard).toEqual([{ words: 'words of my own' }]);
});

test('a file to take along is offered wherever one leaves from, in the words of the area it comes from', async () => {
  await leaving({ records: 2, files: 0 });
  await userEvent.click(await screen.findByRole('button', { name: rescue.leave.saveFirst }, LATE));
  expect(await screen.findByText(rescue.make.wordsHint)).toBeTruthy();
});
