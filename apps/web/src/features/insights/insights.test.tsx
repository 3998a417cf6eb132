// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import texts from '../../shared/i18n/en/insights.json';
import { id, inEnglish, inGerman, ME, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { InsightsScreen } from './insights-screen.tsx';

beforeAll(() => inEnglish('insights'));
afterEach(cleanup);

const ago = (days: number): string => addDays(localDay(new Date()), -days);
/** Two by two, so that no day says what the next one is. */
const isHigh = (day: number): boolean => day % 4 === 0 || day % 4 === 3;
type CheckIn = { mood: number; sleep_hours?: number; stress?: number; skipped?: 'sick' };
const checkIns = (days: number, of: (day: number) => CheckIn) =>
  Array.from({ length: days }, (_, day) => ({
    id: id(1000 + day),
    user_id: ME,
    day: ago(day),
    at: `${ago(day)}T08:00:00Z`,
    ...of(day),
  }));
const goal = (n: number, title: string, state: 'active' | 'paused' | 'achieved', started: number) => ({
  area: 'career-growth-essentials' as const,
  id: id(n),
  user_id: ME,
  title,
  state,
  started_on: ago(started),
});
const milestone = (n: number, goalId: string, title: string, due: number | null, done: number | null) => ({
  id: id(n),
  user_id: ME,
  goal_id: goalId,
  title,
  position: n,
  due_on: due === null ? null : ago(due),
  done_on: done === null ? null : ago(done),
});
const habit = (n: number, name: string, started: number) => ({
  id: id(n),
  user_id: ME,
  name,
  started_on: ago(started),
});
const done = (n: number, habitId: string, day: number) => ({
  id: id(n),
  user_id: ME,
  habit_id: habitId,
  day: ago(day),
  value: 'done' as const,
});

async function show(rows: MemoryRows) {
  const store = await indexedStore(rows);
  showSignedIn(<InsightsScreen title="Insights" renderGoal={(of, title) => <a href={`/goals/${of}`}>{title}</a>} />, {
    store,
    world: 'personal',
  });
  await screen.findByRole('heading', { level: 1, name: 'Insights' });
}
const card = (title: string) => within(screen.getByRole('region', { name: title }));

test('with no day of one’s own there is nothing to tell, and a habit put away is none', async () => {
  await show({ habits: [{ ...habit(10, 'Walk', 60), archived_at: `${ago(1)}T08:00:00Z` }] });
  expect(screen.getByText(texts.empty.title)).toBeTruthy();
  expect(screen.getByText(texts.only)).toBeTruthy();
  expect(screen.queryByRole('region', { name: texts.together.title })).toBeNull();
});

test('each part says what it waits for while there are too few days', async () => {
  await show({
    wellness_check_ins: checkIns(13, day => ({ mood: isHigh(day) ? 4 : 2, sleep_hours: isHigh(day) ? 8 : 6 })),
  });
  expect(
    card(texts.together.title).getByText('Shown after 14 days that differ enough from the day before.'),
  ).toBeTruthy();
  expect(card(texts.steady.title).getByText(texts.steady.none)).toBeTruthy();
  expect(card(texts.momentum.title).getByText(texts.momentum.none)).toBeTruthy();
  expect(card(texts.review.title).getByText(texts.review.none)).toBeTruthy();
});

test('what goes up and what goes down with mood says its direction, its figures, and that it is no cause', async () => {
  const rows = checkIns(60, day => ({
    mood: isHigh(day) ? 4 : 2,
    sleep_hours: isHigh(day) === (day % 10 !== 0) ? 8 : 6,
    stress: isHigh(day) === (day % 15 !== 0) ? 1 : 5,
  }));
  await show({ wellness_check_ins: rows });
  const together = card(texts.together.title);
  const [stress, sleep] = together.getAllByRole('listitem');
  expect(stress?.textContent).toMatch(/^Stress−0\.\d\d?Your mood was lower on days with more of it\./);
  expect(sleep?.textContent).toMatch(/^Hours of sleep\+0\.\d\d?Your mood was better on days with more of it\./);
  expect(sleep?.textContent).toMatch(/Likely between \+0\.\d+ and \+0\.\d+ \(99%\), from 60 days \(\d+ independent\)$/);
  expect(together.getByText('On a scale from −1 to +1, for 2 factors. It shows a link, not a cause.')).toBeTruthy();
});

test('figures that can be either way say so, and days that were skipped count for nothing', async () => {
  const either = (day: number) => ({ mood: isHigh(day) ? 4 : 2, sleep_hours: day % 2 === 0 ? 8 : 6 });
  await show({ wellness_check_ins: checkIns(40, either) });
  expect(card(texts.together.title).getByText(texts.together.open)).toBeTruthy();
  cleanup();
  await show({ wellness_check_ins: checkIns(40, day => ({ ...either(day), skipped: 'sick' })) });
  expect(card(texts.together.title).getByText(/^Shown after \d+ days that differ enough/)).toBeTruthy();
  expect(card(texts.steady.title).getByText(texts.steady.none)).toBeTruthy();
});

test('how steady something is stands beside the four weeks before, or says that there are none yet', async () => {
  await show({
    wellness_check_ins: checkIns(60, () => ({ mood: 3 })),
    habits: [habit(10, 'Walk', 30), habit(11, 'Read', 10)],
    habit_entries: [done(20, id(10), 0), done(21, id(10), 27), done(22, id(10), 29), done(23, id(11), 1)],
  });
  const rows = card(texts.steady.title)
    .getAllByRole('listitem')
    .map(row => row.textContent);
  expect(rows).toEqual([
    'Check-ins28 of 28 days28 in the four weeks before',
    'Walk2 of 28 daysYour first four weeks: nothing to compare with yet',
  ]);
});

test('a running goal says in how many of its weeks it moved; a paused one does not', async () => {
  await show({
    goals: [goal(10, 'Run', 'active', 13), goal(11, 'Sing', 'paused', 60)],
    goal_check_ins: [
      { id: id(30), user_id: ME, goal_id: id(10), day: ago(1), at: `${ago(1)}T08:00:00Z`, value: 1 },
      { id: id(31), user_id: ME, goal_id: id(11), day: ago(1), at: `${ago(1)}T08:00:00Z`, value: 1 },
    ],
  });
  const momentum = card(texts.momentum.title);
  expect(momentum.getByRole('link', { name: 'Run' }).getAttribute('href')).toBe(`/goals/${id(10)}`);
  expect(momentum.getByText('progress in 1 of 2 weeks')).toBeTruthy();
  expect(momentum.queryByText('Sing')).toBeNull();
});

test('milestones past their date stand above those reached, and only those with a date count as in time', async () => {
  await show({
    goals: [goal(10, 'Run', 'active', 200), goal(11, 'Sing', 'paused', 200)],
    goal_milestones: [
      milestone(40, id(10), '5 km', 20, 30),
      milestone(41, id(10), '10 km', 40, 10),
      milestone(42, id(10), 'Shoes', null, 5),
      milestone(43, id(10), 'Long ago', 120, 120),
      milestone(44, id(10), '20 km', 3, null),
      milestone(45, id(11), 'On stage', 3, null),
      milestone(46, id(10), 'Today', 0, null),
    ],
  });
  const review = card(texts.review.title);
  expect(review.getByText('1 of 2 with a date were on time')).toBeTruthy();
  const names = review.getAllByRole('listitem').map(row => row.querySelector('.t')?.textContent);
  expect(names).toEqual(['20 km', 'Shoes', '10 km', '5 km']);
});

test('in German the figures have a comma and the sentences are German', async () => {
  await inGerman(async () => {
    const rows = checkIns(60, day => ({
      mood: isHigh(day) ? 4 : 2,
      sleep_hours: isHigh(day) === (day % 10 !== 0) ? 8 : 6,
    }));
    await show({ wellness_check_ins: rows });
    const [sleep] = card('Was mit deiner Stimmung zusammenhängt').getAllByRole('listitem');
    expect(sleep?.textContent).toMatch(/^Stunden Schlaf\+0,\d\d?An Tagen mit mehr davon war deine Stimmung besser\./);
    cleanup();
  });
});
