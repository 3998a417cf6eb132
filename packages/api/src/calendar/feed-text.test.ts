import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FEED_FORMAT, feedText, type Feed, type FeedEntry } from './feed-text.ts';

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
const text = (more: Partial<FeedEntry> = {}, feed: Partial<Feed> = {}): Promise<string> =>
  feedText(
    { kind: 'tasks', zone: 'Europe/Berlin', language: 'en', entries: [{ ...entry, ...more }], ...feed },
    'https://cairn.test',
  );
/** The lines, those that were folded in one. */
const lines = (all: string): string[] => all.replaceAll('\r\n ', '').split('\r\n');

describe('a feed as iCalendar', () => {
  test('tells a day as a day, with all that makes an entry the same one next time', async () => {
    expect(lines(await text())).toEqual(
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

  test('tells a time as an instant, on summer and winter clocks, for as long as it takes', async () => {
    const winter = await text({ time: '09:30', at: '2026-11-30T08:30:00+00:00' });
    expect(lines(winter)).toEqual(expect.arrayContaining(['DTSTART:20261130T083000Z', 'DTEND:20261130T090000Z']));
    const summer = await text({ day: '2026-06-30', time: '09:30', at: '2026-06-30T09:30:00+02:00', minutes: 90 });
    expect(lines(summer)).toEqual(expect.arrayContaining(['DTSTART:20260630T073000Z', 'DTEND:20260630T090000Z']));
  });

  test('of what has an instant only, the end of a day on the clocks of its owner is that day', async () => {
    const late = { kind: 'action', day: null, at: '2026-11-30T22:59:59.999+00:00' } as const;
    expect(lines(await text(late))).toContain('DTSTART;VALUE=DATE:20261130');
    expect(lines(await text(late))).toContain(
      'URL;VALUE=URI:https://cairn.test/action-items/00000000-0000-4000-8000-000000000001',
    );
    expect(lines(await text(late, { zone: 'UTC' }))).toContain('DTSTART:20261130T225959Z');
  });

  test('marks what is done, speaks its owner’s language', async () => {
    expect(lines(await text({ done: true, title: 'Sweep' }))).toContain('SUMMARY:✓ Sweep');
    expect(lines(await text({}, { language: 'de', kind: 'day' }))).toContain('X-WR-CALNAME:Cairn: meine Pflichten');
  });

  test('no line is longer than 75 bytes, and no title can add a line of its own', async () => {
    const all = await text({ title: `${'ü😀'.repeat(60)}\r\nEND:VEVENT\nDTSTART:20000101` });
    for (const line of all.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(lines(all).filter(line => line === 'END:VEVENT')).toHaveLength(1);
    expect(lines(all).find(line => line.startsWith('SUMMARY:'))).toBe(
      `SUMMARY:${'ü😀'.repeat(60)}\\nEND:VEVENT\\nDTSTART:20000101`,
    );
    expect(all).not.toMatch(/[^\r]\n/);
  });

  test('every line ends, the last one too, and no control character of a title or a place is in it', async () => {
    const all = await text({ title: 'a\u000bb\u0007c\u0000\u007f\td', site: 'Hall\u001b 3' });
    expect(all.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(all.endsWith('\r\n\r\n')).toBe(false);
    expect(lines(all)).toEqual(expect.arrayContaining(['SUMMARY:abc\td', 'LOCATION:Hall 3']));
    expect(all.replaceAll('\r\n', '')).not.toMatch(/(?!\t)\p{Cc}/u);
  });

  test('is the same text whenever it is asked for', async () => expect(await text()).toBe(await text()));

  test('of many entries is one calendar with each of them once, and others have their turn while it is written', async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    const seen = { turns: 0, isOver: false };
    const turn = () => {
      seen.turns += 1;
      if (!seen.isOver) setTimeout(turn, 0);
    };
    setTimeout(turn, 0);
    const all = lines(await text({}, { entries: ids.map(id => ({ ...entry, id })) }));
    seen.isOver = true;
    expect(seen.turns).toBeGreaterThanOrEqual(2);
    expect(all.flatMap(line => (line.startsWith('UID:') ? [line] : []))).toEqual(ids.map(id => `UID:${id}@cairn`));
    for (const [line, times] of [
      ['BEGIN:VCALENDAR', 1],
      ['END:VCALENDAR', 1],
      ['BEGIN:VEVENT', 120],
      ['END:VEVENT', 120],
      ['', 1],
    ])
      expect([line, all.filter(each => each === line).length]).toEqual([line, times]);
    expect(lines(await text({}, { entries: [] })).slice(-2)).toEqual(['END:VCALENDAR', '']);
  });

  test('is what its format says: where the same rows give another text, FEED_FORMAT is another number', async () => {
    const all =
      (await text()) + (await text({ time: '09:30', done: true, site: null }, { language: 'de', kind: 'day' }));
    const hash = createHash('sha256').update(all).digest('hex').slice(0, 16);
    expect([FEED_FORMAT, hash]).toEqual([1, 'ef0348860a5b216d']);
  });
});
