import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { removeAllCheckIns, saveCheckIn, tagsOf, type CheckIn, type CheckInAnswers } from './check-in.ts';
import { checkInsCsv, checkInsJson, closedNotes } from './export-check-ins.ts';
import { helpByCountry, likelyCountry } from './help-lines.ts';
import { allCheckIns, checkIns } from './queries.ts';
import { checkInStreak, dayMeans, ENOUGH_DAYS, tagEffects, trend, weekdayEffects } from './trends.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const SAM = uuid(1);
const AT = '2026-11-21T07:42:00.000Z';

const store = memoryStore();
let made = 100;
async function rowsOf(days: readonly { day: string; answers: CheckInAnswers }[]): Promise<CheckIn[]> {
  const own = memoryStore();
  for (const { day, answers } of days) {
    made += 1;
    const id = uuid(made);
    await own.write('save', tx => saveCheckIn(tx, { id, userId: SAM, day, at: AT, answers }));
  }
  return own.read(allCheckIns);
}

test('every item is optional and can come later: one tap makes the check-in, the next ones add to it', async () => {
  const save = (answers: CheckInAnswers) =>
    store.write('save', tx => saveCheckIn(tx, { id: uuid(2), userId: SAM, day: '2026-11-21', at: AT, answers }));
  await save({ mood: 4 });
  await save({ energy: 3 });
  await save({ stress: 2, sleep_hours: 7.5, tags: [' Outdoors ', 'Outdoors', ''] });
  const [row] = await store.read(checkIns('2026-11-21', '2026-11-21'));
  expect(row).toMatchObject({ mood: 4, energy: 3, stress: 2, sleep_hours: 7.5, day: '2026-11-21', at: AT });
  expect(row && tagsOf(row)).toEqual(['Outdoors']);
  await save({ energy: null });
  expect((await store.read(allCheckIns))[0]?.energy).toBeNull();
});

test.each<[string, CheckInAnswers]>([
  ['mood', { mood: 6 }],
  ['energy', { energy: 2.5 }],
  ['sleep_hours', { sleep_hours: 25 }],
])('a %s outside its scale is refused and nothing is saved', async (name, answers) => {
  const own = memoryStore();
  const saving = { id: uuid(3), userId: SAM, day: '2026-11-21', at: AT, answers };
  await expect(own.write('save', tx => saveCheckIn(tx, saving))).rejects.toMatchObject({ code: 'invalid' });
  await expect(own.write('save', tx => saveCheckIn(tx, saving))).rejects.toThrow(name);
  expect(await own.read(allCheckIns)).toEqual([]);
});

test('a reason to skip takes answers back, and an answer takes the reason back', async () => {
  const own = memoryStore();
  const save = (answers: CheckInAnswers) =>
    own.write('save', tx => saveCheckIn(tx, { id: uuid(4), userId: SAM, day: '2026-11-20', at: AT, answers }));
  await save({ mood: 2 });
  await save({ skipped: 'sick' });
  expect((await own.read(allCheckIns))[0]).toMatchObject({ mood: null, skipped: 'sick' });
  await save({ mood: 3 });
  expect((await own.read(allCheckIns))[0]).toMatchObject({ mood: 3, skipped: null });
});

test('the mean of a day is that of its check-ins; a mean says how many days it is made of', async () => {
  const rows = await rowsOf([
    { day: '2026-11-21', answers: { mood: 4 } },
    { day: '2026-11-21', answers: { mood: 2, energy: 5 } },
    { day: '2026-11-19', answers: { mood: 5 } },
    { day: '2026-11-01', answers: { mood: 1 } },
  ]);
  expect(dayMeans(rows).at(-1)).toMatchObject({ day: '2026-11-21', mood: 3, energy: 5, stress: null });
  const week = trend(rows, '2026-11-21', 7);
  expect(week.days).toHaveLength(7);
  expect(week.averages.mood).toEqual({ mean: 4, n: 2 });
  expect(week.averages.stress).toBeNull();
  expect(trend(rows, '2026-11-21', 30).averages.mood).toEqual({ mean: 3, n: 3 });
});

test('weekdays and words are compared only with enough days of both kinds, and say how many', async () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const day = addDays('2026-09-07', index);
      const isMonday = index % 7 === 0;
      return { day, answers: { mood: isMonday ? 1 : 4, tags: index % 2 === 0 ? ['outdoors'] : [] } };
    });
  const few = await rowsOf(days(7 * (ENOUGH_DAYS - 1)));
  expect(weekdayEffects(few)).toEqual([]);
  const enough = await rowsOf(days(7 * ENOUGH_DAYS));
  const monday = weekdayEffects(enough).at(-1);
  expect(monday).toMatchObject({
    weekday: 1,
    effect: { on: { mean: 1, n: 5 }, off: { mean: 4, n: 30 }, difference: -3 },
  });
  expect(tagEffects(enough)[0]).toMatchObject({ tag: 'outdoors', effect: { on: { n: 18 }, off: { n: 17 } } });
  expect(tagEffects(await rowsOf(days(8)))).toEqual([]);
});

test('a skipped day keeps a row of days and does not lengthen it; today may still be open', async () => {
  const rows = await rowsOf([
    { day: '2026-11-20', answers: { mood: 4 } },
    { day: '2026-11-19', answers: { skipped: 'holiday' } },
    { day: '2026-11-18', answers: { mood: 3 } },
    { day: '2026-11-16', answers: { mood: 3 } },
  ]);
  expect(checkInStreak(rows, '2026-11-21')).toBe(2);
  expect(checkInStreak(rows, '2026-11-22')).toBe(0);
});

test('an export holds every answer and the notes that are open, and says how many are not', async () => {
  const rows = await rowsOf([
    { day: '2026-11-20', answers: { mood: 4, tags: ['=HYPERLINK()', 'family'] } },
    { day: '2026-11-21', answers: { sleep_hours: 6.5, note: 'closed' } },
  ]);
  const all = rows.map(checkIn => ({ checkIn, note: null }));
  expect(checkInsCsv(all).split('\r\n')[1]).toBe("2026-11-20,2026-11-21T07:42:00.000Z,4,,,,,,'=HYPERLINK() | family,");
  expect(JSON.parse(checkInsJson(all))).toMatchObject([{ mood: 4 }, { sleep_hours: 6.5, note: null }]);
  expect(closedNotes(all)).toBe(1);
});

test('delete all takes every check-in away', async () => {
  const own = memoryStore();
  for (const n of [5, 6]) {
    await own.write('save', tx =>
      saveCheckIn(tx, { id: uuid(n), userId: SAM, day: '2026-11-21', at: AT, answers: { mood: n - 2 } }),
    );
  }
  expect(await own.write('remove', removeAllCheckIns)).toBe(2);
  expect(await own.read(allCheckIns)).toEqual([]);
});

test('help lines are offered by where the clock is, then by language, and every country has one and an emergency number', () => {
  expect(likelyCountry('Europe/Berlin', ['en-US'])).toBe('DE');
  expect(likelyCountry('Etc/UTC', ['en', 'de-AT'])).toBe('AT');
  expect(likelyCountry('Etc/UTC', ['en'])).toBeNull();
  expect(helpByCountry.every(({ emergency, lines }) => emergency !== '' && lines.length > 0)).toBe(true);
});
