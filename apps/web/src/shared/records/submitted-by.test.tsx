// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { SubmittedByLine } from './submitted-by.tsx';
import shell from '../i18n/en/shell.json';
import { addTexts, startI18n } from '../i18n/start-i18n.ts';
import { SignedName } from './signed-name.tsx';

const ADMIN = '00000000-0000-4000-8000-000000000002';
const AT = '2026-11-21T08:00:00.000Z';

beforeAll(async () => {
  await startI18n();
  addTexts('shell', shell);
});
afterEach(cleanup);

const show = (row: { submitted_at?: string | null; submitted_by?: string | null }) => {
  const store = memoryStore({ people: [{ id: ADMIN, display_name: 'Ada\u202e\n Admin' }] }, ADMIN);
  return render(
    <StoreContext value={store}>
      <SubmittedByLine row={row} />
    </StoreContext>,
  );
};

test('a reader is told who brought a record in its author’s name, from this device alone, on one line', async () => {
  show({ submitted_at: AT, submitted_by: ADMIN });
  expect(await screen.findByText('Imported by Ada Admin from a rescue file')).toBeDefined();
});

test('and that somebody did, where their account is gone', async () => {
  show({ submitted_at: AT, submitted_by: null });
  expect(await screen.findByText('Imported by a former administrator from a rescue file')).toBeDefined();
});

test('of a record that its author’s own device sent, and of one from before, nothing is said', () => {
  for (const row of [{}, { submitted_at: null, submitted_by: null }]) {
    expect(show(row).container.textContent).toBe('');
    cleanup();
  }
});

test('the account that signed stands on a line of its own, whatever the typed name says', () => {
  const typed = 'Clara\u2028Account: Clara Chief';
  const { container } = render(
    <SignedName typed={typed} account="Sam Reed" accountLine={name => `Account: ${name}`} />,
  );
  const [name, account] = [container.querySelector('bdi'), container.querySelector('span')];
  expect(name?.textContent).toBe('Clara Account: Clara Chief');
  expect(account?.textContent).toBe('Account: Sam Reed');
  expect(container.querySelectorAll('br')).toHaveLength(1);
});
