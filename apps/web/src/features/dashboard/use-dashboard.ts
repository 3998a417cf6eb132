import { localDay } from '@cairn/base/local-day.ts';
import { dashboardFigures, recentArrivals } from '@cairn/core/analytics/queries.ts';
import type { Space } from '@cairn/core/spaces/space.ts';
import { useLive, type Live } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/space.ts';
import { complianceTrend } from './trend-query.ts';
import { personalWork } from './work-queries.ts';

const ARRIVALS = 6;
const TREND_WEEKS = 12;

const answerOf = <A>(live: Live<A>): A | null => (live.status === 'ready' ? live.answer : null);

function useCoreSpace(): { space: Space; userId: string } {
  const { organization, playbook, userId } = useSpace();
  return { space: { organizationId: organization.id, playbookId: playbook?.id ?? null }, userId };
}

/** What the person has to do, moving by itself; null until first read. @param now the present instant */
export function useWork(now: Date) {
  const startOfDay = new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  const endOfDay = new Date(new Date(now).setHours(23, 59, 59, 999)).toISOString();
  return answerOf(useLive(personalWork({ ...useCoreSpace(), startOfDay, endOfDay })));
}

/** The four figures and the trend of the rate. */
export function useFigures(now: Date) {
  const { space, userId } = useCoreSpace();
  const today = localDay(now);
  const figures = answerOf(useLive(dashboardFigures({ space, userId, today })));
  const trend = answerOf(useLive(complianceTrend({ space, today, weeks: TREND_WEEKS })));
  return figures && trend ? { ...figures, trend } : null;
}

export type FiguresShown = NonNullable<ReturnType<typeof useFigures>>;

/** What the team finished and found, newest first. */
export function useArrivals() {
  return answerOf(useLive(recentArrivals(useCoreSpace().space, ARRIVALS)));
}
