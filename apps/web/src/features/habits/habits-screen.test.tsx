// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { habitsToExport } from '@cairn/core/habits/queries.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { failingRead } from '@cairn/testing/failing-read.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/habits.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { HabitsScreen } from './habits-screen.tsx';

const SAM = '00000000-0000-4000-8000-000000000003';
const HABIT = '00000000-0000-4000-8000-000000000009';

beforeAll(async () => {
  await startI18n();
  addTexts('habits', texts);
});
afterEach(cleanup);

const signedIn = { user: { id: SAM, email: 'sam@a.test', fullName: null }, engine: {} as SyncEngine, verified: true };

test('an export of habits that fails says why', async () => {
  const habit = { id: HABIT, user_id: SAM, name: 'Walk', started_on: '2026-11-01' };
  const store = failingRead(memoryStore({ habits: [habit] }, SAM), habitsToExport, 'storage_full');
  render(
    <SignedInContext.Provider value={signedIn}>
      <StoreContext.Provider value={store}>
        <HabitsScreen renderName={(_, name) => name} backLink={null} />
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
  const button = await screen.findByRole('button', { name: texts.export });
  await expect.poll(() => button.hasAttribute('disabled')).toBe(false);
  await userEvent.click(button);
  expect((await screen.findByRole('alert')).textContent).toBe(failure.storage_full);
});

test('whoever had a habit with an amount before is told once that streaks and strength were calculated again', async () => {
  const habit = {
    id: HABIT,
    user_id: SAM,
    name: 'Run',
    started_on: '2026-11-01',
    kind: 'number' as const,
    target: 20,
    per_days: 7,
  };
  const show = (created_at: string) =>
    render(
      <SignedInContext.Provider value={signedIn}>
        <StoreContext.Provider value={memoryStore({ habits: [{ ...habit, created_at }] }, SAM)}>
          <HabitsScreen renderName={(_, name) => name} backLink={null} />
        </StoreContext.Provider>
      </SignedInContext.Provider>,
    );
  show('2026-12-03T08:00:00Z');
  await screen.findByText('Run');
  expect(screen.queryByText(texts.recount.title)).toBeNull();
  cleanup();
  show('2026-11-01T08:00:00Z');
  await screen.findByText(texts.recount.title);
  await userEvent.click(screen.getByRole('button', { name: texts.recount.read }));
  expect(screen.queryByText(texts.recount.title)).toBeNull();
  cleanup();
  show('2026-11-01T08:00:00Z');
  await screen.findByText('Run');
  expect(screen.queryByText(texts.recount.title)).toBeNull();
});
