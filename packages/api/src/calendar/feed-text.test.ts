import { describe, expect, test } from 'vitest';
import { feedText, type Feed, type FeedEntry } from './feed-text.ts';

const entry: FeedEntry = {
  kind: 'task',
  id: '00000000-0000-4000-8000-000000000001',
  title: 'Call; the, vendor\\',
  day: '2026-11-30',
  time: null,
  at: '2026-11-30T22:59:59+00:00',
  minutes: null,
  done: false,
  changed: '2026-11-21T09:00:00.123456+00:00',
  version: 7,
  site: 'Site North',
};
const text = (more: Partial<FeedEntry> = {}, feed: Partial<Feed> = {}): string =>
  feedText(
    { kind: 'tasks', zone: 'Europe/Berlin', language: 'en', entries: [{ ...entry, ...more }], ...feed },
    'https://cairn.test',
  );
/** The lines, those that were folded in one. */
const lines = (all: string): string[] => all.replaceAll('\r\n ', '').split('\r\n');

describe('a feed as iCalendar', () => {
  test('tells a day as a day, with all that makes an entry the same one next time', () => {
    expect(lines(text())).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'X-WR-CALNAME:Cairn: my tasks',
        'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
        'BEGIN:VEVENT',
        'UID:00000000-0000-4000-8000-000000000001@cairn',
        'SEQUENCE:7',
        'DTSTAMP:20261121T090000Z',
        'LAST-MODIFIED:20261121T090000Z',
        'DTSTART;VALUE=DATE:20261130',
        'DTEND;VALUE=DATE:20261201',
        'SUMMARY:Call\\; the\\, vendor\\\\',
        'LOCATION:Site North',
        'TRANSP:TRANSPARENT',
        'URL;VALUE=URI:https://cairn.test/tasks/00000000-0000-4000-8000-000000000001',
      ]),
    );
  });

  test('tells a time as an instant, on summer and winter clocks, for as long as it takes', () => {
    const winter = text({ time: '09:30', at: '2026-11-30T08:30:00+00:00' });
    expect(lines(winter)).toEqual(expect.arrayContaining(['DTSTART:20261130T083000Z', 'DTEND:20261130T090000Z']));
    const summer = text({ day: '2026-06-30', time: '09:30', at: '2026-06-30T09:30:00+02:00', minutes: 90 });
    expect(lines(summer)).toEqual(expect.arrayContaining(['DTSTART:20260630T073000Z', 'DTEND:20260630T090000Z']));
  });

  test('of what has an instant only, the end of a day on the clocks of its owner is that day', () => {
    const late = { kind: 'action', day: null, at: '2026-11-30T22:59:59.999+00:00' } as const;
    expect(lines(text(late))).toContain('DTSTART;VALUE=DATE:20261130');
    expect(lines(text(late))).toContain(
      'URL;VALUE=URI:https://cairn.test/action-items/00000000-0000-4000-8000-000000000001',
    );
    expect(lines(text(late, { zone: 'UTC' }))).toContain('DTSTART:20261130T225959Z');
  });

  test('marks what is done, speaks its owner’s language', () => {
    expect(lines(text({ done: true, title: 'Sweep' }))).toContain('SUMMARY:✓ Sweep');
    expect(lines(text({}, { language: 'de', kind: 'day' }))).toContain('X-WR-CALNAME:Cairn: meine Pflichten');
  });

  test('no line is longer than 75 bytes, and no title can add a line of its own', () => {
    const all = text({ title: `${'ü😀'.repeat(60)}\r\nEND:VEVENT\nDTSTART:20000101` });
    for (const line of all.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(lines(all).filter(line => line === 'END:VEVENT')).toHaveLength(1);
    expect(lines(all).find(line => line.startsWith('SUMMARY:'))).toBe(
      `SUMMARY:${'ü😀'.repeat(60)}\\nEND:VEVENT\\nDTSTART:20000101`,
    );
    expect(all).not.toMatch(/[^\r]\n/);
  });

  test('every line ends, the last one too, and no control character of a title or a place is in it', () => {
    const all = text({ title: 'a\u000bb\u0007c\u0000\u007f\td', site: 'Hall\u001b 3' });
    expect(all.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(all.endsWith('\r\n\r\n')).toBe(false);
    expect(lines(all)).toEqual(expect.arrayContaining(['SUMMARY:abc\td', 'LOCATION:Hall 3']));
    expect(all.replaceAll('\r\n', '')).not.toMatch(/(?!\t)\p{Cc}/u);
  });

  test('is the same text whenever it is asked for', () => expect(text()).toBe(text()));
});
