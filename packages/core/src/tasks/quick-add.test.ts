import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecurrence } from '../occurrences/recurrence.ts';
import { openParts, partName, quickTask, readLine } from './quick-add.ts';

/** A Saturday. */
const today = '2026-11-21';
const people = [
  { id: 'u1', name: 'Sam Worker' },
  { id: 'u2', name: 'Mia Manager' },
  { id: 'u3', name: 'Samira Roth' },
];

const says = (text: string) => {
  const line = readLine(text, { today, people });
  const { title, day, time, recurrence } = quickTask(line, {}, today);
  return [title, day, time, recurrence];
};

describe('a line is understood in English and German', () => {
  test.each<[string, string, string | null, string | null, string | null]>([
    ['call vendor tomorrow 9:00 every Monday', 'call vendor', '2026-11-23', '09:00', 'FREQ=WEEKLY;BYDAY=MO'],
    ['Lieferant anrufen morgen 9:00 jeden Montag', 'Lieferant anrufen', '2026-11-23', '09:00', 'FREQ=WEEKLY;BYDAY=MO'],
    ['call vendor tomorrow 9:00', 'call vendor', '2026-11-22', '09:00', null],
    ['call vendor', 'call vendor', null, null, null],
    ['pay rent today', 'pay rent', '2026-11-21', null, null],
    ['tonight check the doors', 'check the doors', '2026-11-21', null, null],
    ['order gloves day after tomorrow', 'order gloves', '2026-11-23', null, null],
    ['visit plant on Friday', 'visit plant', '2026-11-27', null, null],
    ['report by Wednesday 14:30', 'report', '2026-11-25', '14:30', null],
    ['send papers next Friday', 'send papers', '2026-11-27', null, null],
    ['send papers this Sunday', 'send papers', '2026-11-22', null, null],
    ['clean filter in 3 days', 'clean filter', '2026-11-24', null, null],
    ['clean filter in two weeks', 'clean filter', '2026-12-05', null, null],
    ['renew pass in a month', 'renew pass', '2026-12-21', null, null],
    ['renew pass in 1 year', 'renew pass', '2027-11-21', null, null],
    ['plan audit next week', 'plan audit', '2026-11-23', null, null],
    ['plan audit next month', 'plan audit', '2026-12-01', null, null],
    ['close books by the end of the month', 'close books', '2026-11-30', null, null],
    ['book room 24 December', 'book room', '2026-12-24', null, null],
    ['book room on the 3rd of March 2027', 'book room', '2027-03-03', null, null],
    ['book room Dec 24', 'book room', '2026-12-24', null, null],
    ['book room May 12, 2027', 'book room', '2027-05-12', null, null],
    ['book room 2027-01-05', 'book room', '2027-01-05', null, null],
    ['book room 24/12', 'book room', '2026-12-24', null, null],
    ['book room 1 January', 'book room', '2027-01-01', null, null],
    ['lunch with Ada tomorrow at noon', 'lunch with Ada', '2026-11-22', '12:00', null],
    ['call Ada 9am', 'call Ada', '2026-11-21', '09:00', null],
    ['call Ada at 5pm', 'call Ada', '2026-11-21', '17:00', null],
    ['call Ada at 12 am', 'call Ada', '2026-11-21', '00:00', null],
    ['call Ada 7:45 p.m. tomorrow', 'call Ada', '2026-11-22', '19:45', null],
    ['call Ada at 9', 'call Ada', '2026-11-21', '09:00', null],
    ["call Ada at ten o'clock", 'call Ada', '2026-11-21', '10:00', null],
    ['call Ada half past nine', 'call Ada', '2026-11-21', '09:30', null],
    ['call Ada quarter to nine', 'call Ada', '2026-11-21', '08:45', null],
    ['call Ada tomorrow morning', 'call Ada', '2026-11-22', '09:00', null],
    ['water plants every day', 'water plants', today, null, 'FREQ=DAILY'],
    ['water plants daily at 8:00', 'water plants', today, '08:00', 'FREQ=DAILY'],
    ['write weekly report', 'write weekly report', null, null, null],
    ['report hours weekly', 'report hours', today, null, 'FREQ=WEEKLY'],
    ['stand-up every weekday 9:15', 'stand-up', '2026-11-23', '09:15', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['swim every Monday, Wednesday and Friday', 'swim', '2026-11-23', null, 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['bins every other Tuesday', 'bins', '2026-11-24', null, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['bins every 2 weeks on Tuesday', 'bins', '2026-11-24', null, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['invoice every month on the 15th', 'invoice', '2026-12-15', null, 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['invoice every 3 months', 'invoice', today, null, 'FREQ=MONTHLY;INTERVAL=3'],
    ['drill every first Monday of the month', 'drill', '2026-12-07', null, 'FREQ=MONTHLY;BYDAY=1MO'],
    ['drill every last Friday', 'drill', '2026-11-27', null, 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['tax every year on 31 May', 'tax', '2027-05-31', null, 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=31'],
    ['close books at the end of every month', 'close books', '2026-11-30', null, 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    ['gym mondays and thursdays', 'gym', '2026-11-23', null, 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['Miete zahlen heute', 'Miete zahlen', today, null, null],
    ['Handschuhe bestellen übermorgen', 'Handschuhe bestellen', '2026-11-23', null, null],
    ['Werk besuchen am Freitag', 'Werk besuchen', '2026-11-27', null, null],
    ['Bericht bis Mittwoch 14:30 Uhr', 'Bericht', '2026-11-25', '14:30', null],
    ['Papiere schicken nächsten Freitag', 'Papiere schicken', '2026-11-27', null, null],
    ['Papiere schicken diesen Sonntag', 'Papiere schicken', '2026-11-22', null, null],
    ['Filter reinigen in 3 Tagen', 'Filter reinigen', '2026-11-24', null, null],
    ['Filter reinigen in zwei Wochen', 'Filter reinigen', '2026-12-05', null, null],
    ['Ausweis erneuern in einem Monat', 'Ausweis erneuern', '2026-12-21', null, null],
    ['Audit planen nächste Woche', 'Audit planen', '2026-11-23', null, null],
    ['Audit planen nächsten Monat', 'Audit planen', '2026-12-01', null, null],
    ['Bücher schließen bis Monatsende', 'Bücher schließen', '2026-11-30', null, null],
    ['Raum buchen 24. Dezember', 'Raum buchen', '2026-12-24', null, null],
    ['Raum buchen am 3. März 2027', 'Raum buchen', '2027-03-03', null, null],
    ['Raum buchen am 24.12.', 'Raum buchen', '2026-12-24', null, null],
    ['Raum buchen 3.4.2027', 'Raum buchen', '2027-04-03', null, null],
    ['Ada anrufen um 9', 'Ada anrufen', today, '09:00', null],
    ['Ada anrufen um 9 Uhr 30', 'Ada anrufen', today, '09:30', null],
    ['Ada anrufen 9.30 Uhr', 'Ada anrufen', today, '09:30', null],
    ['Ada anrufen um 17 Uhr', 'Ada anrufen', today, '17:00', null],
    ['Ada anrufen um halb neun', 'Ada anrufen', today, '08:30', null],
    ['Ada anrufen Viertel vor neun', 'Ada anrufen', today, '08:45', null],
    ['Ada anrufen morgen früh', 'Ada anrufen', '2026-11-22', '09:00', null],
    ['Ada anrufen heute Abend', 'Ada anrufen', today, '18:00', null],
    ['Blumen gießen jeden Tag', 'Blumen gießen', today, null, 'FREQ=DAILY'],
    ['Blumen gießen täglich um 8:00', 'Blumen gießen', today, '08:00', 'FREQ=DAILY'],
    ['Runde werktags 9:15', 'Runde', '2026-11-23', '09:15', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Schwimmen jeden Montag, Mittwoch und Freitag', 'Schwimmen', '2026-11-23', null, 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['Tonnen alle zwei Wochen am Dienstag', 'Tonnen', '2026-11-24', null, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['Tonnen alle 2 Wochen', 'Tonnen', today, null, 'FREQ=WEEKLY;INTERVAL=2'],
    ['Rechnung jeden Monat am 15.', 'Rechnung', '2026-12-15', null, 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['Übung jeden ersten Montag im Monat', 'Übung', '2026-12-07', null, 'FREQ=MONTHLY;BYDAY=1MO'],
    ['Übung jeden letzten Freitag', 'Übung', '2026-11-27', null, 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['Steuer jedes Jahr am 31. Mai', 'Steuer', '2027-05-31', null, 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=31'],
    ['Sport montags und donnerstags', 'Sport', '2026-11-23', null, 'FREQ=WEEKLY;BYDAY=MO,TH'],
    ['Prüfung jedes zweite Jahr', 'Prüfung', today, null, 'FREQ=YEARLY;INTERVAL=2'],
    ['Müll rausbringen jede Woche am Donnerstag', 'Müll rausbringen', '2026-11-26', null, 'FREQ=WEEKLY;BYDAY=TH'],
  ])('%s', (text, ...expected) => {
    expect(says(text)).toEqual(expected);
  });
});

describe('what can mean two things asks', () => {
  test.each<[string, string, string[]]>([
    ['call Ada at 5', 'time/at 5', ['17:00', '05:00']],
    ['Ada anrufen um 5', 'time/um 5', ['17:00', '05:00']],
    ['pay 3/4', 'day/3/4', ['2027-04-03', '2027-03-04']],
    ['call Ada Saturday', 'day/Saturday', ['2026-11-21', '2026-11-28']],
    ['send papers next Sunday', 'day/next Sunday', ['2026-11-22', '2026-11-29']],
    ['Papiere nächsten Sonntag', 'day/nächsten Sonntag', ['2026-11-22', '2026-11-29']],
    ['paint this weekend', 'day/this weekend', ['2026-11-21', '2026-11-22']],
    ['streichen am Wochenende', 'day/am Wochenende', ['2026-11-21', '2026-11-22']],
    [
      'drill every second Friday',
      'repeat/every second Friday',
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=FR', 'FREQ=MONTHLY;BYDAY=2FR'],
    ],
    [
      'Übung jeden zweiten Freitag',
      'repeat/jeden zweiten Freitag',
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=FR', 'FREQ=MONTHLY;BYDAY=2FR'],
    ],
    ['invoice every 31st', 'repeat/every 31st', ['FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYMONTHDAY=31']],
    [
      'birthday every year on 29 February',
      'repeat/every year on 29 February',
      ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
    ],
    ['give it to @sam', 'person/@sam', ['u1', 'u3']],
  ])('%s', (text, name, meanings) => {
    const line = readLine(text, { today, people });
    const [part] = openParts(line, {});
    expect(part && [partName(part), part.meanings]).toEqual([name, meanings]);
    expect(openParts(line, { [name]: meanings[1] ?? '' })).toEqual([]);
  });
});

test('labels, priority and a person are taken out of the title', () => {
  const line = readLine('order oil #shop #forklift !high @mia', { today, people });
  expect(quickTask(line, {}, today)).toMatchObject({
    title: 'order oil',
    labels: ['shop', 'forklift'],
    priority: 'high',
    assigneeId: 'u2',
  });
});

test('what was not meant is left in the title, word for word', () => {
  const text = 'read Monday report every Friday';
  const line = readLine(text, { today, left: ['day/Monday'] });
  expect(quickTask(line, {}, today)).toMatchObject({ title: 'read Monday report', day: '2026-11-27' });
});

test('a line in which nothing is understood is the title as it stands', () => {
  expect(readLine('! .! what, now', { today })).toEqual({ title: '! .! what, now', parts: [] });
  expect(readLine('call tomorrow, then write', { today }).title).toBe('call, then write');
});

test('nobody is named by an @ that fits no colleague', () => {
  expect(readLine('mail x@y.test @nobody', { today, people })).toEqual({ title: 'mail x@y.test @nobody', parts: [] });
});

/** Whether a title is a line with some of it taken out: the same signs in the same order, blanks aside. */
function isLeftOf(title: string, text: string): boolean {
  let at = 0;
  for (const sign of title.replace(/\s/g, '')) {
    const found = text.indexOf(sign, at);
    if (found < 0) return false;
    at = found + sign.length;
  }
  return true;
}

test('whatever is typed gives a title made of its own words, and rules that can be read', () => {
  const fragment = fc.constantFrom(
    'call',
    'every',
    'jeden',
    'second',
    'Monday',
    'Montag',
    '31.',
    '29 Feb',
    '9:00',
    'at',
    'um',
    '5',
    '24/12',
    '#a',
    '!high',
    'next',
    'week',
    'in',
    '3',
    'days',
    '…',
    'ß',
    'every 31st',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fragment, { maxLength: 12 }).map(all => all.join(' ')),
      ),
      text => {
        const line = readLine(text, { today });
        const task = quickTask(line, {}, today);
        expect(isLeftOf(task.title, text)).toBe(true);
        for (const part of line.parts) expect(text.slice(part.from, part.to)).toBe(part.matchedText);
        expect(parseRecurrence(task.recurrence ?? 'FREQ=DAILY').ok).toBe(true);
        expect(task.day ?? today).toMatch(/^(19[7-9]|20|21)\d+-\d\d-\d\d$/);
      },
    ),
    { numRuns: 500 },
  );
});
