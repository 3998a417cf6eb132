import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hours } from '@cairn/core/notifications/quiet-hours.ts';
import { goesOutAt } from '@cairn/testing/send-time-oracle.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu'];
const two = (n: number) => String(n).padStart(2, '0');
const anyClock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
/** Times around which clocks change, among any. */
const nightClock = fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:15', '02:30', '03:00', '03:30');
const clock = fc.oneof(anyClock, nightClock);
const anyHours: fc.Arbitrary<Hours> = fc.record({
  zone: fc.constantFrom(...ZONES),
  daily: clock,
  quiet: fc.record({ enabled: fc.boolean(), start: clock, end: clock }),
});
/** Days on which clocks change somewhere, and any day of three years. */
const anyDay = fc.oneof(
  fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25', '2026-11-01'),
  fc.integer({ min: 0, max: 1095 }).map(n => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10)),
);
const anyInstant = fc
  .tuple(anyDay, fc.integer({ min: -86_400, max: 86_400 }))
  .map(([day, seconds]) => Date.parse(`${day}T00:00:00Z`) + seconds * 1000);
const anyCase = fc.record({
  at: anyInstant,
  cadence: fc.constantFrom('immediate' as const, 'daily' as const),
  hours: anyHours,
});

type Case = { at: number; cadence: 'immediate' | 'daily'; hours: Hours };

/** Many cases in one statement: a round trip each would take minutes. */
async function inDatabase(cases: Case[]): Promise<number[]> {
  const rows = await db.asAdmin(
    `select extract(epoch from inbox.send_time(to_timestamp((c ->> 'at')::numeric / 1000), c ->> 'cadence', false,
        c #>> '{hours,zone}', (c #>> '{hours,daily}')::time, (c #>> '{hours,quiet,enabled}')::boolean,
        (c #>> '{hours,quiet,start}')::time, (c #>> '{hours,quiet,end}')::time)) * 1000 as out
      from jsonb_array_elements($1::jsonb) with ordinality as cases (c, n) order by n`,
    [JSON.stringify(cases)],
  );
  return rows.map(row => Number(row['out']));
}

test('the database and the device agree when a notification may go out, through every clock change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCase, { minLength: 200, maxLength: 200, size: 'max' }), async cases => {
      const here = cases.map(({ at, cadence, hours }) => goesOutAt(at, cadence, hours));
      const there = await inDatabase(cases);
      for (const [index, out] of there.entries()) {
        expect({ ...cases[index], out }).toEqual({ ...cases[index], out: here[index] });
      }
    }),
    { numRuns: 10 },
  );
});

test('a zone nobody knows falls back to UTC instead of failing, hours that were never set to their defaults', async () => {
  const person = await db.person('odd@a.test');
  const settings = `select zone, daily::text, quiet_start::text from inbox.settings($1)`;
  const usual = { zone: 'UTC', daily: '09:00:00', quiet_start: '22:00:00' };
  expect(await db.asAdmin(settings, [person])).toEqual([usual]);
  await db.asAdmin(`insert into user_preferences (user_id, timezone) values ($1, 'Mars/Olympus')`, [person]);
  expect(await db.asAdmin(settings, [person])).toEqual([usual]);
});
