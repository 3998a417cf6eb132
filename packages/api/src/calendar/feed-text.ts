import ical, { ICalEventTransparency } from 'ical-generator';
import { addDays } from '@cairn/base/local-day.ts';
import { wallClock } from '@cairn/base/wall-clock.ts';
import { yieldToOthers } from '../yield-to-others.ts';

/** What is due, as `calendar_feed` tells it. `at`: the instant it is late; `day`, `time` as they were said, of tasks alone. */
export type FeedEntry = {
  kind: 'task' | 'action' | 'inspection';
  id: string;
  title: string;
  day: string | null;
  time: string | null;
  at: string;
  /** How long it takes, where somebody said. */
  minutes: number | null;
  done: boolean;
  changed: string;
  version: number;
  site: string | null;
};

/** `zone`: IANA name, the clocks of whoever made it. */
export type Feed = { kind: 'tasks' | 'day'; zone: string; language: string | null; entries: FeedEntry[] };

const NAMES = {
  en: { tasks: 'Cairn: my tasks', day: 'Cairn: my duties' },
  de: { tasks: 'Cairn: meine Aufgaben', day: 'Cairn: meine Pflichten' },
} as const;

const PATHS = { task: '/tasks/', action: '/action-items/', inspection: '/field/' } as const;

/** Minutes an entry takes in a calendar that nobody gave a length. */
const LENGTH = 30;
const MAX_EVENT_MINUTES = 24 * 60;
/** Seconds; how often a calendar is asked to look again. */
const AGAIN = 3600;

/** The day of an entry that is due by the end of one; null where it has a time. What ends in the last minute of a day means the day. */
function wholeDay({ day, time, at }: FeedEntry, zone: string): string | null {
  if (day !== null) return time === null ? day : null;
  const wall = new Date(wallClock(Date.parse(at), zone)).toISOString();
  return wall.slice(11, 16) === '23:59' ? wall.slice(0, 10) : null;
}

function span(entry: FeedEntry, zone: string): { start: Date; end: Date; allDay: boolean } {
  const day = wholeDay(entry, zone);
  if (day !== null)
    return { start: new Date(`${day}T00:00:00Z`), end: new Date(`${addDays(day, 1)}T00:00:00Z`), allDay: true };
  const start = new Date(entry.at);
  const minutes = Math.min(entry.minutes ?? LENGTH, MAX_EVENT_MINUTES);
  return { start, end: new Date(start.getTime() + minutes * 60_000), allDay: false };
}

/** What TEXT may not hold (RFC 5545, 3.3.11): control characters other than a tab and the ends of lines, which are escaped. */
// oxlint-disable-next-line no-control-regex -- these are what is left out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

const textOf = (text: string): string => text.replaceAll(CONTROLS, '');

const FIRST_EVENT = '\r\nBEGIN:VEVENT\r\n';
const END = '\r\nEND:VCALENDAR';
/** Entries that are written in one go: some five milliseconds, in which nobody else is answered. */
const AT_ONCE = 10;

/** What the text of the same rows depends on beside them: another number where they are written otherwise. */
export const FEED_FORMAT = 1;

function calendarOf({ kind, zone, language, entries }: Feed, site: string): string {
  const names = language?.startsWith('de') ? NAMES.de : NAMES.en;
  const calendar = ical({
    name: names[kind],
    prodId: { company: 'Cairn', product: 'Cairn', language: 'EN' },
    ttl: AGAIN,
  });
  for (const entry of entries) {
    const changed = new Date(entry.changed);
    calendar.createEvent({
      id: `${entry.id}@cairn`,
      ...span(entry, zone),
      summary: textOf(entry.done ? `✓ ${entry.title}` : entry.title),
      stamp: changed,
      lastModified: changed,
      sequence: entry.version,
      // To be done some time that day is no reason to be busy.
      transparency: ICalEventTransparency.TRANSPARENT,
      url: `${site}${PATHS[entry.kind]}${entry.id}`,
      ...(entry.site !== null && { location: textOf(entry.site) }),
    });
  }
  return calendar.toString();
}

/** The events alone. A line of a title cannot begin as one: its own ends of lines are escaped, and what is folded begins with a space. */
function eventsOf(calendar: string): string {
  const first = calendar.indexOf(FIRST_EVENT);
  return first < 0 ? '' : calendar.slice(first, calendar.lastIndexOf(END));
}

/**
 * A feed as iCalendar (RFC 5545). Each entry is an event: calendars on phones and in browsers show no VTODO of an address.
 * Times are instants in UTC, so that every calendar shows them on its own clocks; nothing in it depends on when it is asked.
 * Thousands of entries take seconds of this process: others have their turn in between.
 *
 * @param site where people open the app
 */
export async function feedText(feed: Feed, site: string): Promise<string> {
  const head = calendarOf({ ...feed, entries: [] }, site);
  const parts = [head.slice(0, head.lastIndexOf(END))];
  for (let at = 0; at < feed.entries.length; at += AT_ONCE) {
    await yieldToOthers();
    parts.push(eventsOf(calendarOf({ ...feed, entries: feed.entries.slice(at, at + AT_ONCE) }, site)));
  }
  // Each line ends, the last one too (RFC 5545, 3.1).
  return `${parts.join('')}${END}\r\n`;
}
