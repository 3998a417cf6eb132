import { expect, test } from 'vitest';
import { quickTask, readLine } from './quick-add.ts';

// Lines that users of other apps reported, or their own suites hold, each misread once; word for word.

const made = (text: string, today: string) => {
  const line = readLine(text, { today });
  const { day, time, recurrence, title } = quickTask(line, {}, today);
  return [title, [day, time, recurrence].filter(part => part !== null).join(' ')];
};

const LAST = 'FREQ=MONTHLY;BYMONTHDAY=-1';

// A Saturday near the end of its month.
test.each([
  ['submit report on the last day of every month', 'submit report', `2026-11-30 ${LAST}`],
  ['every month on the last day close books', 'close books', `2026-11-30 ${LAST}`],
  ['end of every month close books', 'close books', `2026-11-30 ${LAST}`],
  ['rent every month on the 1st and 15th', 'rent', '2026-12-01 FREQ=MONTHLY;BYMONTHDAY=1,15'],
])('%s', (text, title, meaning) => {
  expect(made(text, '2026-11-28')).toEqual([title, meaning]);
});

// A Wednesday.
const today = '2026-12-02';

test.each([
  ['the last day of every month', '', `2026-12-31 ${LAST}`],
  ['last day of every month rent', 'rent', `2026-12-31 ${LAST}`],
  ['every second day of the month', '', '2026-12-02 FREQ=MONTHLY;BYMONTHDAY=2'],
  ['meeting tomorrow 2:30 pm - 3:30 pm', 'meeting 2:30 pm - 3:30 pm', '2026-12-03'],
  ['audit 2027/12/01', 'audit', '2027-12-01'],
  ['renew 2028/03/18', 'renew', '2028-03-18'],
  ['8 in the evening call', 'call', '2026-12-02 20:00'],
  ['7 morgens laufen', 'laufen', '2026-12-02 07:00'],
  ['8 abends anrufen', 'anrufen', '2026-12-02 20:00'],
])('%s is read whole', (text, title, meaning) => {
  expect(made(text, today)).toEqual([title, meaning]);
});

test.each([
  'call between 2:30 pm and 3:30 pm',
  'call 12:30 am - 1 am',
  '24/7 support contract check',
  '24/7 Bereitschaft klären',
  'tank is 3/4 full',
  'order 1/2 inch hose',
  'version 1.10.30 roll out',
  'Release 2.1.27 testen',
  'Version 1.2.26 einspielen',
  'Kapitel 3.4.27',
  'run 6 in the morning',
  'holiday 10 August - 12 September',
  'Urlaub 10. August - 12. September',
  'holiday Aug 10 to Aug 22',
  'holiday 22-23 Feb',
  'Dec 3-5 fair',
  'holiday from 3 to 5 December',
])('%s stays in the title', text => {
  expect(made(text, today)).toEqual([text, '']);
});

test('"every month" typed on a 31st means the last day of months that have none, and says so', () => {
  expect(made('rent every month', '2027-01-31')).toEqual([
    'rent',
    '2027-01-31 RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD',
  ]);
  expect(made('rent yearly', '2028-02-29')[1]).toBe('2028-02-29 RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD');
});
