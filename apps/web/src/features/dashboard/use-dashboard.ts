import { useLive } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/space.ts';
import { arrivals, doneOn } from './arrival-queries.ts';
import { figures, startOfDay } from './figure-queries.ts';
import { isMine, openWork, type Work } from './work-queries.ts';

const ARRIVALS = 6;

/** True from the moment its due instant has passed. */
const isLate = (work: Work, now: Date): boolean => work.dueAt !== null && work.dueAt < now;
const isByTonight = (work: Work, now: Date): boolean =>
  (work.kind === 'inspection' && work.status === 'in_progress') ||
  (work.dueAt !== null && startOfDay(work.dueAt) <= startOfDay(now));

/** The open work of the current organisation, as it concerns the person. @param now the present instant */
export function useWork(now: Date) {
  const { organization, userId } = useSpace();
  const work = useLive(openWork(organization.id, userId));
  const done = useLive(doneOn(userId, organization.id, startOfDay(now)));
  if (work.status === 'loading' || done.status === 'loading') return null;
  const mine = work.answer.items.filter(item => isMine(item, userId));
  return {
    next: work.answer.next,
    pending: mine,
    today: mine.filter(item => isByTonight(item, now)),
    late: mine.filter(item => isLate(item, now)).length,
    teamLate: work.answer.items.filter(item => isLate(item, now)),
    done: done.answer.inspections + done.answer.actions,
  };
}

export type DashboardWork = NonNullable<ReturnType<typeof useWork>>;

export function useFigures(now: Date) {
  const { organization } = useSpace();
  const live = useLive(figures(organization.id, startOfDay(now)));
  return live.status === 'ready' ? live.answer : null;
}

export function useArrivals() {
  const { organization } = useSpace();
  const live = useLive(arrivals(organization.id, ARRIVALS));
  return live.status === 'ready' ? live.answer : null;
}
