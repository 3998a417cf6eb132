import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import type { CheckIn } from './check-in.ts';

export type WellnessSettings = Pick<Row<'wellness_settings'>, 'check_in_at' | 'quiet_until'>;

const NONE: WellnessSettings = { check_in_at: null, quiet_until: null };
/** How long quiet mode lasts. */
const QUIET_MS = 86_400_000;
const LOW_MOOD = 2;
const HIGH_STRESS = 4;

const idOf = (userId: string): string => derivedId(userId, 'wellness');

/** When a person is reminded to check in, and until when reminders wait. */
export function wellnessSettings(userId: string): Query<WellnessSettings> {
  return {
    key: `wellness/settings/${userId}`,
    tables: ['wellness_settings'],
    read: async tx => (await tx.get('wellness_settings', idOf(userId))) ?? NONE,
  };
}

/** Reminds of the check-in at this time (HH:MM on the person's clocks); null never. @throws {Failure} `invalid` for no time */
export async function remindOfCheckIn(tx: WriteTx, userId: string, clock: string | null): Promise<void> {
  if (clock !== null && !isClock(clock)) throw new Failure('invalid', 'remindOfCheckIn: no time of day');
  await tx.put('wellness_settings', { id: idOf(userId), user_id: userId, check_in_at: clock });
}

/** Lets what only reminds wait for a day, here and on the server. @param now ms since 1970; null ends it */
export async function beQuiet(tx: WriteTx, userId: string, now: number | null): Promise<void> {
  const until = now === null ? null : new Date(now + QUIET_MS).toISOString();
  await tx.put('wellness_settings', { id: idOf(userId), user_id: userId, quiet_until: until });
}

/** Whether HH:MM, 24 hours. */
export const isClock = (clock: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(clock);

/** Whether reminders wait at this instant. @param now ms since 1970 */
export const isWaiting = ({ quiet_until: until }: WellnessSettings, now: number): boolean =>
  until !== null && Date.parse(until) > now;

/** Whether the last thing said of a day asks for a quieter one: a low mood or high stress. */
export function isHardDay(rows: readonly CheckIn[], today: string): boolean {
  const last = rows.findLast(row => row.day === today && row.skipped === null);
  return last !== undefined && ((last.mood ?? LOW_MOOD + 1) <= LOW_MOOD || (last.stress ?? 0) >= HIGH_STRESS);
}
