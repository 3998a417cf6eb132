import { expect, test } from 'vitest';
import { openParts, quickTask, readLine } from './quick-add.ts';

// Lines by someone who had not read the parser; most were taken for something they do not say, or for half of it.

/** A Wednesday. */
const today = '2026-12-02';

const says = (text: string): [string, string] => {
  const line = readLine(text, { today });
  const asked = openParts(line, {});
  if (asked.length > 0)
    return [line.title, asked.map(part => `${part.kind}? ${part.meanings.join(' or ')}`).join(', ')];
  const { title, day, time, recurrence } = quickTask(line, {}, today);
  return [title, [day, time, recurrence].filter(part => part !== null).join(' ')];
};

test.each<[string, string, string]>([
  ['every mon wed fri gym', 'gym', '2026-12-02 FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  ['every tue thu 18:00 yoga', 'yoga', '2026-12-03 18:00 FREQ=WEEKLY;BYDAY=TU,TH'],
  ['jeden Mo Mi Fr Gym', 'Gym', '2026-12-02 FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  ['every Friday do the dishes', 'do the dishes', '2026-12-04 FREQ=WEEKLY;BYDAY=FR'],
  ['Training jeden Di + Do', 'Training', '2026-12-03 FREQ=WEEKLY;BYDAY=TU,TH'],
  ['jeden Dienstag u. Donnerstag Training', 'Training', '2026-12-03 FREQ=WEEKLY;BYDAY=TU,TH'],
  ['montags bis freitags 8 Uhr Hof', 'Hof', '2026-12-02 08:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['every work day at 9 post', 'post', '2026-12-02 09:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['jeden Freitag ab 1.2. bis 1.3. Kurs', 'Kurs', '2027-02-05 FREQ=WEEKLY;BYDAY=FR;UNTIL=20270301'],
  ['daily from 1 Jan to 10 Jan log', 'to 10 Jan log', '2027-01-01 FREQ=DAILY'],
  ['kaufe 2 am Freitag', 'kaufe 2', '2026-12-04'],
  ['Halle 6 am 5.12. prüfen', 'Halle 6 prüfen', '2026-12-05'],
  ['call at 8 am Monday', 'call', '2026-12-07 08:00'],
  ['fünf vor halb neun Runde', 'Runde', '2026-12-02 08:25'],
  ['um zehn nach halb neun Runde', 'Runde', '2026-12-02 08:40'],
  ['Termin am 8ten um 10', 'Termin', '2026-12-08 10:00'],
  ['report Dec. 5', 'report', '2026-12-05'],
  ['report Fri next week', 'report', '2026-12-11'],
  ['Di abends Chor', 'Chor', '2026-12-08 18:00'],
  ['Fr ab 14 Uhr putzen', 'putzen', '2026-12-04 14:00'],
  ['clean fri from 2pm', 'clean', '2026-12-04 14:00'],
  ['report by end of next week', 'report', 'day? 2026-12-11 or 2026-12-13'],
  ['Bericht bis Ende nächster Woche', 'Bericht', 'day? 2026-12-11 or 2026-12-13'],
  ['close books end of next month', 'close books', '2027-01-31'],
  ['pay on the last day of next month', 'pay', '2027-01-31'],
  ['pay on the first day of next month', 'pay', '2027-01-01'],
  ['Abschluss Ende nächsten Monats', 'Abschluss', '2027-01-31'],
  ['call a week on Friday', 'call', '2026-12-11'],
])('%s', (text, title, meaning) => {
  expect(says(text)).toEqual([title, meaning]);
});

test.each([
  'yoga Tue & Thu 6pm',
  'Yoga Di und Do 18 Uhr',
  'Mo, Mi, Fr 18 Uhr Sport',
  'Monday and Thursday at 6pm swim',
  'every monday at 9 and every friday at 10 call',
  'every Friday in December at 9 bake',
  'every Monday or Thursday at 6pm swim',
  'every 14 jan, 14 apr, 15 jun tax',
  'every so often water cactus',
  'morgen oder übermorgen melden',
  'first Monday of next month board',
  'second to last Friday of every month audit',
  'vorletzter Freitag im Monat Runde',
  'feiern jeden Mai am 3.',
  'plan mid next week',
  'send before fri 5pm',
  'pack a week before Friday',
  'two Fridays from now',
  'an einem Freitag feiern',
  'any Friday works',
  "tonight's dinner",
  'Pos. 3.4. prüfen',
  'um 3,5 kürzen',
  'Miete um 12 erhöhen',
  'drive at 5 mph',
  'look at 8 houses',
  'meet at 10 Downing Street',
  'meet at 7-Eleven',
  'log 12:30:45',
  'Tempo 3:45 min/km',
  'Marathon unter 3:30',
  'call 10:00 ET',
  'TÜV bis 03/27',
  'first aid kit exp 05/27',
  'Rechnung 12/26 ablegen',
  'practise song 3:45',
])('%s stays in the title', text => {
  expect(says(text)).toEqual([text, '']);
});

test.each([
  ['daily 1 Jan - 10 Jan log', '1 Jan - 10 Jan log', '2026-12-02 FREQ=DAILY'],
  ['every day ending in 2 weeks log', 'ending in 2 weeks log', '2026-12-02 FREQ=DAILY'],
])('of %s the span stays in the title', (text, title, meaning) => {
  expect(says(text)).toEqual([title, meaning]);
});
