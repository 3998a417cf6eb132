import { addDays, localDay } from '@cairn/base/local-day.ts';
import { dashboardFigures, recentRecords } from '@cairn/core/analytics/queries.ts';
import { complianceOverview } from '@cairn/core/dashboard/compliance.ts';
import { dashboardSettings } from '@cairn/core/dashboard/config.ts';
import type { DashboardWorld } from '@cairn/core/dashboard/widgets.ts';
import type { Space } from '@cairn/core/spaces/space.ts';
import type { Store } from '@cairn/sync/store.ts';
import { readAhead, useLive, type LiveAnswer } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/session/space.ts';
import { criticalWork, personalWork, teamWork, weekAhead, workElsewhere } from './work-queries.ts';

const MAX_RECENT = 6;
const DAYS_AHEAD = 7;

const answerOf = <A>(live: LiveAnswer<A>): A | null => (live.status === 'ready' ? live.answer : null);

type SpaceAndUser = { space: Space; userId: string };

function useCoreSpace(): SpaceAndUser {
  const { organization, playbook, userId } = useSpace();
  return { space: { organizationId: organization.id, playbookId: playbook?.id ?? null }, userId };
}

/** The last instant of a local day (YYYY-MM-DD), ISO 8601. */
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

const startOf = (now: Date): string => new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();

/** What a dashboard reads, each under the key its card asks for. */
const reads = {
  work: (place: SpaceAndUser, now: Date) =>
    personalWork({ ...place, startOfDay: startOf(now), endOfDay: endOf(localDay(now)) }),
  elsewhere: ({ space, userId }: SpaceAndUser, now: Date) =>
    workElsewhere({ userId, except: space.organizationId, endOfDay: endOf(localDay(now)) }),
  compliance: ({ space }: SpaceAndUser, now: Date) => complianceOverview({ space, today: localDay(now) }),
  overdue: ({ space }: SpaceAndUser, now: Date) => teamWork({ space, endOfDay: endOf(localDay(now)) }),
  critical: ({ space }: SpaceAndUser) => criticalWork(space),
  arrivals: ({ space }: SpaceAndUser) => recentRecords(space, MAX_RECENT),
};

type PrefetchContext = {
  place: SpaceAndUser;
  world: DashboardWorld;
  now: Date;
  /** Whether the person reviews what a team sends in. */
  reviews: boolean;
  /** Whether they manage action items. */
  manages: boolean;
};

/**
 * Begins what the whole dashboard of a world waits for.
 * @returns what ends each read
 */
export function readDashboardAhead(
  store: Store,
  { place, world, now, reviews, manages }: PrefetchContext,
): (() => void)[] {
  const common = [readAhead(store, dashboardSettings(place.userId)), readAhead(store, reads.work(place, now))];
  if (world === 'personal') return [...common, readAhead(store, reads.elsewhere(place, now))];
  return [
    ...common,
    readAhead(store, dashboardFigures(place.space.organizationId)),
    readAhead(store, reads.compliance(place, now)),
    ...(manages ? [readAhead(store, reads.critical(place))] : []),
    ...(reviews ? [readAhead(store, reads.arrivals(place)), readAhead(store, reads.overdue(place, now))] : []),
  ];
}

/** What the person has to do, moving by itself; null until first read. @param now the present instant */
export const useWork = (now: Date) => answerOf(useLive(reads.work(useCoreSpace(), now)));

/** What falls due in the seven days after today. */
export function useWeek(now: Date) {
  const today = localDay(now);
  const until = endOf(addDays(today, DAYS_AHEAD));
  return answerOf(useLive(weekAhead({ ...useCoreSpace(), endOfDay: endOf(today), until })));
}

/** Today's duties in the person's other organisations. */
export const useWorkElsewhere = (now: Date) => answerOf(useLive(reads.elsewhere(useCoreSpace(), now)));

/** The counts of an organisation's tiles. */
export function useFigures() {
  return answerOf(useLive(dashboardFigures(useCoreSpace().space.organizationId)));
}

/** How duties were met: the rate, its weeks, and the rows behind it. */
export const useCompliance = (now: Date) => answerOf(useLive(reads.compliance(useCoreSpace(), now)));

/** What the whole team has not done in time. @param now the present instant @param isWanted false reads nothing */
export function useOverdue(now: Date, isWanted = true) {
  const place = useCoreSpace();
  const due = answerOf(useLive(isWanted ? reads.overdue(place, now) : null));
  return due && due.filter(({ dueAt }) => dueAt !== null && dueAt < now);
}

/** What is critical in the whole space. @param isWanted false reads nothing */
export function useCritical(isWanted = true) {
  const place = useCoreSpace();
  return answerOf(useLive(isWanted ? reads.critical(place) : null));
}

/** What the team finished and found, newest first. @param isWanted false reads nothing */
export function useRecentRecords(isWanted = true) {
  const place = useCoreSpace();
  return answerOf(useLive(isWanted ? reads.arrivals(place) : null));
}
