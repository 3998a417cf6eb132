import { addDays } from '@cairn/base/local-day.ts';
import { isSaidByOther, stepsOf, type NextStep, type Session } from './sessions.ts';
import type { SharedSession } from './shared-view.ts';

/** One session as either side is shown it. */
export type ShownSession = Pick<SharedSession, 'id' | 'at' | 'state' | 'minutes' | 'note' | 'reason'> & {
  steps: NextStep[];
  /** The signed-in person wrote it. */
  isMine: boolean;
  /** It lies on this device: not merely shown under a grant. */
  isHere: boolean;
  /** The other said what became of it. */
  isSaidByOther: boolean;
};

/** Own sessions beside those that a grant shows, each once, the newest first. */
export function sessionsToShow(
  own: readonly Session[],
  shared: readonly SharedSession[],
  userId: string,
): ShownSession[] {
  const here = own.map((row): ShownSession => ({
    ...row,
    steps: stepsOf(row),
    isMine: row.author_id === userId,
    isHere: true,
    isSaidByOther: isSaidByOther(row, userId),
  }));
  const known = new Set(here.map(({ id }) => id));
  const granted = shared
    .filter(({ id, is_mine }) => !known.has(id) && !is_mine)
    .map((session): ShownSession => ({
      ...session,
      steps: session.next_steps,
      isMine: false,
      isHere: false,
      isSaidByOther: true,
    }));
  return [...here, ...granted].toSorted((a, b) => b.at.localeCompare(a.at));
}

export type SessionGroups = {
  /** Planned, the next one first. */
  coming: ShownSession[];
  /** Planned and over, and nobody said what became of them; the newest first. */
  unreported: ShownSession[];
  /** Held, missed or cancelled, the newest first. */
  past: ShownSession[];
};

/** What is coming, what passed without a word, and what was. @param all the newest first @param now ms since 1970 */
export function sessionGroups(all: readonly ShownSession[], now: number): SessionGroups {
  const planned = all.filter(({ state }) => state === 'planned');
  return {
    coming: planned.filter(({ at }) => Date.parse(at) > now).toReversed(),
    unreported: planned.filter(({ at }) => Date.parse(at) <= now),
    past: all.filter(({ state }) => state !== 'planned'),
  };
}

/** When the two last talked, ISO 8601; null before the first time. @param all the newest first */
export const lastTalk = (all: readonly ShownSession[]): string | null =>
  all.find(({ state }) => state === 'held')?.at ?? null;

/** The local day the next session is due by rhythm; null without one, or before the first. @param lastDay YYYY-MM-DD */
export const nextSessionDay = (lastDay: string | null, cadenceDays: number | null): string | null =>
  lastDay === null || cadenceDays === null ? null : addDays(lastDay, cadenceDays);
