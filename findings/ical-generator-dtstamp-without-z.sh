#!/usr/bin/env bash
# ical-generator 11.1.2: once a calendar has a time zone, DTSTAMP is written as a floating time, and so are starts made from a Date.
#
# RFC 5545 says that DTSTAMP must be in UTC ("…Z"); without the Z strict readers refuse the file. With `timezone: 'Europe/Berlin'` on the
# calendar all moments lose their Z and get no TZID: an event made from the Date of 07:00 UTC stands in the file as 07:00 floating,
# which a phone in Berlin shows at seven instead of nine. Without a time zone both are right. Seen: "DTSTAMP:<digits>" and
# "DTSTART:20260701T070000" with it, "…Z" without it (run with TZ=UTC; the hour follows the machine's zone).
#
# Instead: give the calendar no time zone, let every moment be written in UTC, and name the zone for display with X-WR-TIMEZONE in a
# property of your own.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical-generator@11.1.2
cat >try.mjs <<'JS'
import { ICalCalendar } from 'ical-generator';
const lines = timezone => {
  const calendar = new ICalCalendar(timezone ? { timezone } : {});
  calendar.createEvent({ start: new Date('2026-07-01T07:00:00Z'), end: new Date('2026-07-01T08:00:00Z'), summary: 'Check' });
  return calendar.toString().split('\r\n').filter(line => /^DT(STAMP|START)/.test(line));
};
const [zoned, plain] = [lines('Europe/Berlin'), lines(null)];
console.log({ zoned, plain });
const holds =
  zoned.length === 2 &&
  /^DTSTAMP:\d{8}T\d{6}$/.test(zoned[0]) &&
  zoned[1] === 'DTSTART:20260701T070000' &&
  plain.every(line => line.endsWith('Z'));
process.exit(holds ? 0 : 1);
JS
TZ=UTC node try.mjs
