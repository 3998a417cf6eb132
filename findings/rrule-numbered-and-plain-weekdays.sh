#!/usr/bin/env bash
# rrule 2.8.1: "every Monday, or the last Friday" (BYDAY=MO,-1FR, monthly) has no day at all.
#
# RFC 5545 lets one BYDAY hold weekdays with and without a number; a day is in the set if any of them fits. rrule keeps the two kinds
# in two lists and asks for both, which no day satisfies: it walks on and hands out nothing, without an error. python-dateutil, from
# which it comes, gives Mondays and last Fridays. Each kind alone is right. Seen for January 2026: [] for both together; four Mondays
# alone; 30 January alone.
#
# Instead: divide such a rule by kind into two rules of one set (RRuleSet), or test days yourself.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule@2.8.1
cat >try.mjs <<'JS'
import rrule from 'rrule';
const days = byday =>
  rrule
    .rrulestr(`DTSTART:20260101T090000Z\nRRULE:FREQ=MONTHLY;BYDAY=${byday};UNTIL=20260131T235959Z`)
    .all()
    .map(date => date.toISOString().slice(0, 10));
const [both, mondays, lastFriday] = ['MO,-1FR', 'MO', '-1FR'].map(days);
console.log({ both, mondays, lastFriday });
const holds = both.length === 0 && mondays.length === 4 && lastFriday.join() === '2026-01-30';
process.exit(holds ? 0 : 1);
JS
node try.mjs
