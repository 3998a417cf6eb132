import { addDays, localDay } from '@cairn/base/local-day.ts';
import { dashboardFigures, recentArrivals } from '@cairn/core/analytics/queries.ts';
import { complianceOverview } from '@cairn/core/dashboard/compliance.ts';
import type { Space } from '@cairn/core/spaces/space.ts';
import { useLive, type Live } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/space.ts';
import { personalWork, teamWork, weekAhead, workElsewhere } from './work-queries.ts';

const ARRIVALS = 6;
const DAYS_AHEAD = 7;

const answerOf = <A>(live: Live<A>): A | null => (live.status === 'ready' ? live.answer : null);

function useCoreSpace(): { space: Space; userId: string } {
  const { organization, playbook, userId } = useSpace();
  return { space: { organizationId: organization.id, playbookId: playbook?.id ?? null }, userId };
}

/** The last instant of a local day (YYYY-MM-DD), ISO 8601. */
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

/** What the person has to do, moving by itself; null until first read. @param now the present instant */
export function useWork(now: Date) {
  const startOfDay = new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  return answerOf(useLive(personalWork({ ...useCoreSpace(), startOfDay, endOfDay: endOf(localDay(now)) })));
}

/** What falls due in the seven days after today. */
export function useWeek(now: Date) {
  const today = localDay(now);
  const until = endOf(addDays(today, DAYS_AHEAD));
  return answerOf(useLive(weekAhead({ ...useCoreSpace(), endOfDay: endOf(today), until })));
}

/** Today's duties in the person's other organisations. */
export function useWorkElsewhere(now: Date) {
  const { space, userId } = useCoreSpace();
  return answerOf(useLive(workElsewhere({ userId, except: space.organizationId, endOfDay: endOf(localDay(now)) })));
}

/** The counts of the tiles. */
export function useFigures() {
  return answerOf(useLive(dashboardFigures(useCoreSpace())));
}

/** How duties were met: the rate, its weeks, and the rows behind it. */
export function useCompliance(now: Date) {
  return answerOf(useLive(complianceOverview({ space: useCoreSpace().space, today: localDay(now) })));
}

/** What the whole team has not done in time. @param now the present instant @param isWanted false reads nothing */
export function useOverdue(now: Date, isWanted = true) {
  const { space } = useCoreSpace();
  const due = answerOf(useLive(isWanted ? teamWork({ space, endOfDay: endOf(localDay(now)) }) : null));
  return due && due.filter(({ dueAt }) => dueAt !== null && dueAt < now);
}

/** What the team finished and found, newest first. @param isWanted false reads nothing */
export function useArrivals(isWanted = true) {
  const { space } = useCoreSpace();
  return answerOf(useLive(isWanted ? recentArrivals(space, ARRIVALS) : null));
}
