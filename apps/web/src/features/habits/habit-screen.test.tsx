// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import { entryId } from '@cairn/core/habits/save-habit.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { countedReads } from '@cairn/testing/counted-reads.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import texts from '../../shared/i18n/en/habits.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { HabitScreen } from './habit-screen.tsx';

const SAM = '00000000-0000-4000-8000-000000000003';
const HABIT = '00000000-0000-4000-8000-000000000009';
const DAYS = 1826;
const TODAY = localDay(new Date());

beforeAll(async () => {
  await startI18n();
  addTexts('habits', texts);
  // jsdom scrolls nothing.
  Element.prototype.scrollTo ??= () => {};
});
afterEach(cleanup);

/** Five years of a daily habit, kept but for the day before yesterday. */
function fiveYears(): Store {
  const day = (back: number) => addDays(TODAY, -back);
  const habit = { id: HABIT, user_id: SAM, name: 'Walk', started_on: day(DAYS - 1), times: 1, per_days: 1 };
  const entries = Array.from({ length: DAYS }, (_, back) => ({
    id: entryId(HABIT, day(back)),
    user_id: SAM,
    habit_id: HABIT,
    day: day(back),
    value: back === 2 ? ('no' as const) : ('done' as const),
  }));
  return memoryStore({ habits: [habit], habit_entries: entries }, SAM);
}

const signedIn = { user: { id: SAM, email: 'sam@a.test', fullName: null }, engine: {} as SyncEngine, verified: true };
const show = (store: Store) =>
  render(
    <SignedInContext.Provider value={signedIn}>
      <StoreContext.Provider value={store}>
        <HabitScreen habitId={HABIT} backLink={null} onRemoved={() => {}} />
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );

const longest = () => screen.findByText(texts.streak.days_other.replace('{{count}}', String(DAYS - 3)));

test('a year of five stands before the rest is read, is drawn once, and each day is one element with its words', async () => {
  const { store, rows } = countedReads(fiveYears());
  let drawn: { table: Element; readByThen: number | undefined } | null = null;
  const redrawn: Node[] = [];
  const watch = new MutationObserver(seen => {
    if (drawn) redrawn.push(...seen.map(({ target }) => target).filter(target => drawn?.table.contains(target)));
    const table = document.querySelector('table');
    if (table) drawn ??= { table, readByThen: rows.habit_entries };
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  show(store);
  const table = await screen.findByRole('table', { name: texts.year.label });
  await longest();
  watch.disconnect();
  // The year, the month before it and the very first day.
  expect(drawn).toEqual({ table, readByThen: 365 + 31 + 1 });
  expect(table.isConnected).toBe(true);
  expect(rows.habit_entries).toBe(DAYS + 1);
  expect(redrawn).toEqual([]);
  expect(table.querySelectorAll('.heat-day')).toHaveLength(365);
  expect(table.querySelectorAll('td *')).toHaveLength(0);
  expect(table.querySelectorAll('[title]')).toHaveLength(0);
  const cells = within(table).getAllByRole('cell');
  expect(cells.filter(({ textContent: words }) => words.endsWith(`: ${texts.status.done}`))).toHaveLength(364);
});

test('who points at a day is told its words, and they follow when the day is said anew', async () => {
  show(fiveYears());
  const table = await screen.findByRole('table', { name: texts.year.label });
  await longest();
  const last = () => [...table.querySelectorAll<HTMLElement>('.heat-day')].find(({ title }) => title !== '');
  const today = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const date = today.format(new Date(`${TODAY}T12:00:00Z`));
  await userEvent.hover(within(table).getByText(`${date}: ${texts.status.done}`));
  expect(last()?.title).toBe(`${date}: ${texts.status.done}`);
  await userEvent.click(screen.getByRole('radio', { name: texts.day.skip }));
  await userEvent.unhover(table);
  await userEvent.hover(await within(table).findByText(`${date}: ${texts.status.skip}`));
  expect(last()?.title).toBe(`${date}: ${texts.status.skip}`);
});
