import { describe, expect, test } from 'vitest';
import { openParts, partName, quickTask, readLine } from './quick-add.ts';

// Lines as people type them, a Saturday's: each was read wrongly once, or half, or is near one that was.

/** A Saturday. */
const today = '2026-11-21';

const says = (text: string) => {
  const line = readLine(text, { today });
  const { title, day, time, recurrence } = quickTask(line, {}, today);
  return [title, day, time, recurrence];
};

describe('a line is read as it was meant', () => {
  test.each<[string, string, string | null, string | null, string | null]>([
    ['mum every Sunday', 'mum', '2026-11-22', null, 'FREQ=WEEKLY;BYDAY=SU'],
    ['swim sundays and mondays', 'swim', '2026-11-22', null, 'FREQ=WEEKLY;BYDAY=SU,MO'],
    ['jeden 2. Tag gießen', 'gießen', today, null, 'FREQ=DAILY;INTERVAL=2'],
    ['every third week clean', 'clean', today, null, 'FREQ=WEEKLY;INTERVAL=3'],
    ['plan every second week on Monday', 'plan', '2026-11-23', null, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'],
    ['alle 14 Tage montags Tonne', 'Tonne', '2026-11-23', null, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'],
    ['alle 3 Monate am 15. Filter', 'Filter', '2026-12-15', null, 'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15'],
    ['check every 3 months on Monday', 'check', '2026-11-23', null, 'FREQ=MONTHLY;INTERVAL=3'],
    ['review monthly on the first Monday', 'review', '2026-12-07', null, 'FREQ=MONTHLY;BYDAY=1MO'],
    ['jeden 3. Donnerstag im Monat Runde', 'Runde', '2026-12-17', null, 'FREQ=MONTHLY;BYDAY=3TH'],
    ['last Friday of the month drill', 'drill', '2026-11-27', null, 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Miete am 1. jeden Monats', 'Miete', '2026-12-01', null, 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ['rent on the 1st of every month', 'rent', '2026-12-01', null, 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ['jeden Ersten des Monats Miete', 'Miete', '2026-12-01', null, 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ['Baum jeden 24.12.', 'Baum', '2026-12-24', null, 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24'],
    ['jedes Quartal prüfen', 'prüfen', today, null, 'FREQ=MONTHLY;INTERVAL=3'],
    ['Filter monatlich reinigen', 'Filter reinigen', today, null, 'FREQ=MONTHLY'],
    ['wöchentlicher Bericht', 'wöchentlicher Bericht', null, null, null],
    ['Rundgang Mo-Fr 8 Uhr', 'Rundgang', '2026-11-23', '08:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['stand-up every Monday to Friday', 'stand-up', '2026-11-23', null, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['an jedem Montag gießen', 'gießen', '2026-11-23', null, 'FREQ=WEEKLY;BYDAY=MO'],
    ['jeden Tag außer Sonntag öffnen', 'öffnen', today, null, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA'],
    ['open every day except Sunday', 'open', today, null, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA'],
    ['swim every Friday until 31.12.', 'swim', '2026-11-27', null, 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231'],
    ['Sport jeden Montag bis 31.12. um 9', 'Sport', '2026-11-23', '09:00', 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20261231'],
    ['täglich bis Freitag messen', 'messen', today, null, 'FREQ=DAILY;UNTIL=20261127'],
    ['swim every Friday from 1.12. until 31.12.', 'swim', '2026-12-04', null, 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231'],
    ['jeden Morgen Tabletten', 'Tabletten', today, '09:00', 'FREQ=DAILY'],
    ['jeden Samstagmorgen joggen', 'joggen', today, '09:00', 'FREQ=WEEKLY;BYDAY=SA'],
    ['every Monday morning at 7 open', 'open', '2026-11-23', '07:00', 'FREQ=WEEKLY;BYDAY=MO'],
    ['dreimal täglich Tabletten', 'dreimal täglich Tabletten', null, null, null],
    ['täglich 7:00 und 19:00 messen', '7:00 und 19:00 messen', today, null, 'FREQ=DAILY'],
    ['Ada anrufen um 8 abends', 'Ada anrufen', today, '20:00', null],
    ['um 7 Uhr abends anrufen', 'anrufen', today, '19:00', null],
    ['halb acht abends anrufen', 'anrufen', today, '19:30', null],
    ['call at 3 in the afternoon', 'call', today, '15:00', null],
    ['party tonight at 8', 'party', today, '20:00', null],
    ['heute Abend um 8 Kino', 'Kino', today, '20:00', null],
    ['morgen früh um 6 laufen', 'laufen', '2026-11-22', '06:00', null],
    ['tomorrow evening at 6 call', 'call', '2026-11-22', '18:00', null],
    ['Montagmorgen anrufen', 'anrufen', '2026-11-23', '09:00', null],
    ['Dienstag Abend um 7 Chor', 'Chor', '2026-11-24', '19:00', null],
    ['Friday afternoon report', 'report', '2026-11-27', '15:00', null],
    ['um sechs Uhr morgens laufen', 'laufen', today, '06:00', null],
    ['um 17.30 anrufen', 'anrufen', today, '17:30', null],
    ['um dreiviertel neun anrufen', 'anrufen', today, '08:45', null],
    ['Besprechung von 9 bis 10 Uhr morgen', 'Besprechung von 9 bis 10 Uhr', '2026-11-22', null, null],
    ['meeting 5pm-6pm tomorrow', 'meeting 5pm-6pm', '2026-11-22', null, null],
    ['call Ada at 9 and 3 other things', 'call Ada and 3 other things', today, '09:00', null],
    ['Di 9:00 Zahnarzt', 'Zahnarzt', '2026-11-24', '09:00', null],
    ['Fr 14 Uhr Zahnarzt', 'Zahnarzt', '2026-11-27', '14:00', null],
    ['Mon 9am dentist', 'dentist', '2026-11-23', '09:00', null],
    ['Termin 5.12 10:00', 'Termin', '2026-12-05', '10:00', null],
    ['Freitag, den 4.12. Bericht', 'Bericht', '2026-12-04', null, null],
    ['report Friday, Dec 4', 'report', '2026-12-04', null, null],
    ['Bericht Freitag nächste Woche', 'Bericht', '2026-11-27', null, null],
    ['next week Friday report', 'report', '2026-11-27', null, null],
    ['übernächsten Dienstag Termin', 'Termin', '2026-12-01', null, null],
    ['plan the week after next', 'plan', '2026-11-30', null, null],
    ['heute in einer Woche anrufen', 'anrufen', '2026-11-28', null, null],
    ['call a week from Monday', 'call', '2026-11-30', null, null],
    ['2 Tage vor Freitag packen', 'packen', '2026-11-25', null, null],
    ['rent on the 15th', 'rent', '2026-12-15', null, null],
    ['on the 3rd floor fix the lamp', 'on the 3rd floor fix the lamp', null, null, null],
    ['Ende Januar abschließen', 'abschließen', '2027-01-31', null, null],
    ['close books by end of year', 'close books', '2026-12-31', null, null],
    ['starting tomorrow water plants every day', 'water plants', '2026-11-22', null, 'FREQ=DAILY'],
    ['spätestens Freitag melden', 'melden', '2026-11-27', null, null],
    ['last Friday report', 'last Friday report', null, null, null],
    ['von Montag bis Freitag Urlaub', 'von Montag bis Freitag Urlaub', null, null, null],
    ['on Monday and Thursday swim', 'on Monday and Thursday swim', null, null, null],
    ['call Ada and on Monday write', 'call Ada and write', '2026-11-23', null, null],
    ['pay 12.50 Euro tmrw', 'pay 12.50 Euro', '2026-11-22', null, null],
    ['ab 2.5 bar prüfen', 'ab 2.5 bar prüfen', null, null, null],
    ['release 2.1 am Freitag', 'release 2.1', '2026-11-27', null, null],
    ['pay 31.2.', 'pay 31.2.', null, null, null],
    ['um 10% kürzen', 'um 10% kürzen', null, null, null],
  ])('%s', (text, ...expected) => {
    expect(says(text)).toEqual(expected);
  });
});

describe('a line that may mean two things asks', () => {
  test.each<[string, string, string[]]>([
    [
      'jeden 2. Dienstag Müll',
      'repeat/jeden 2. Dienstag',
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'FREQ=MONTHLY;BYDAY=2TU'],
    ],
    [
      'drill every third Thursday',
      'repeat/every third Thursday',
      ['FREQ=MONTHLY;BYDAY=3TH', 'FREQ=WEEKLY;INTERVAL=3;BYDAY=TH'],
    ],
    [
      'Feier jährlich am 29.2.',
      'repeat/jährlich am 29.2.',
      ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
    ],
    ['Montag oder Dienstag anrufen', 'day/Montag oder Dienstag', ['2026-11-23', '2026-11-24']],
    ['send before Friday', 'day/before Friday', ['2026-11-26', '2026-11-27']],
    ['report Friday 5.12.', 'day/Friday 5.12.', ['2026-12-05', '2026-11-27']],
    ['in zwei Wochen am Montag anrufen', 'day/in zwei Wochen am Montag', ['2026-11-30', '2026-12-07']],
    ['call Monday week', 'day/Monday week', ['2026-11-23', '2026-11-30']],
    ['call at half nine', 'time/at half nine', ['09:30', '08:30']],
    ['5 Uhr aufstehen', 'time/5 Uhr', ['17:00', '05:00']],
    ['jeden Samstag anrufen am Samstag', 'day/am Samstag', ['2026-11-21', '2026-11-28']],
  ])('%s', (text, name, meanings) => {
    const [part] = openParts(readLine(text, { today }), {});
    expect(part && [partName(part), part.meanings]).toEqual([name, meanings]);
  });

  test('of a Friday the end of the week may be today', () => {
    const line = readLine('report by the end of the week', { today: '2026-11-20' });
    expect(openParts(line, {}).map(part => part.meanings)).toEqual([['2026-11-20', '2026-11-22']]);
  });
});
