import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { saveCheckIn } from '../wellness/check-in.ts';
import { beQuiet, isHardDay, isWaiting, remindOfCheckIn, wellnessSettings } from '../wellness/wellness-settings.ts';
import { sayDay } from '../habits/save-habit.ts';
import { growthReminders } from './growth-reminders.ts';

const SAM = '00000000-0000-4000-8000-000000000003';
const WALK = '00000000-0000-4000-8000-000000000009';
const TODAY = '2026-11-21';
const EIGHT = Date.parse('2026-11-21T19:00:00Z');

async function reminded() {
  const habit = { id: WALK, user_id: SAM, name: 'Walk', started_on: '2026-11-01', remind_at: '20:00' };
  const store = memoryStore({ habits: [habit] }, SAM);
  await store.write('remind', tx => remindOfCheckIn(tx, SAM, '20:00'));
  return store;
}
const planned = async (store: Awaited<ReturnType<typeof reminded>>) =>
  (await store.read(growthReminders(SAM, TODAY, 'Europe/Berlin'))).map(({ key, at }) => [key, at]);

test('a device reminds of open habits and of the check-in at the person’s own time, as the server would', async () => {
  const store = await reminded();
  expect(await planned(store)).toEqual([
    [`habit/${WALK}/${TODAY}`, EIGHT],
    [`check-in/${TODAY}`, EIGHT],
  ]);
  await store.write('say', tx => sayDay(tx, { userId: SAM, habitId: WALK, day: TODAY, value: 'no', amount: null }));
  const answers = { mood: 4 };
  const checkIn = { id: '00000000-0000-4000-8000-000000000010', userId: SAM, day: TODAY, at: `${TODAY}T08:00:00Z` };
  await store.write('check', tx => saveCheckIn(tx, { ...checkIn, answers }));
  expect(await planned(store)).toEqual([]);
});

test('in quiet mode reminders wait for a day, or until it is ended', async () => {
  const store = await reminded();
  await store.write('quiet', tx => beQuiet(tx, SAM, EIGHT - 1000));
  expect(await planned(store)).toEqual([]);
  const settings = await store.read(wellnessSettings(SAM));
  expect([isWaiting(settings, EIGHT), isWaiting(settings, EIGHT + 86_400_000)]).toEqual([true, false]);
  expect(settings.check_in_at).toBe('20:00');
  await store.write('loud', tx => beQuiet(tx, SAM, null));
  expect(await planned(store)).toHaveLength(2);
});

test('only a time of day is one', async () => {
  const store = await reminded();
  for (const clock of ['24:00', '9:00', 'noon']) {
    await expect(store.write('remind', tx => remindOfCheckIn(tx, SAM, clock))).rejects.toMatchObject({
      code: 'invalid',
    });
  }
});

test.each([
  [{ mood: 2, stress: null }, true],
  [{ mood: 4, stress: 4 }, true],
  [{ mood: 3, stress: 3 }, false],
  [{ mood: null, stress: null }, false],
])('%o offers quiet: %s', (given, offered) => {
  const row = { day: TODAY, skipped: null, ...given };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rule reads these fields alone
  expect(isHardDay([row as never], TODAY)).toBe(offered);
});
