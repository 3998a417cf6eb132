import { localDay } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';

const FINISHED: ReadonlySet<string> = new Set(['finalised', 'has_issues', 'approved', 'rejected', 'closed']);
/** An action item that turned out to be none was no duty. */
const VOID: ReadonlySet<string> = new Set(['duplicate', 'not_valid']);

/** Days are the device's local days, YYYY-MM-DD, both included. */
export type Period = { from: string; to: string };

const dayOf = (instant: string): string => localDay(new Date(instant));

/** One duty: what it is, and its instants (ISO 8601); null where it has none or is not done. */
export type Duty = {
  kind: 'inspection' | 'action';
  id: string;
  title: string;
  dueAt: string | null;
  doneAt: string | null;
};

const inspectionDuty = (row: Row<'inspections'>): Duty => ({
  kind: 'inspection',
  id: row.id,
  title: row.title,
  dueAt: row.due_at,
  doneAt: FINISHED.has(row.status) ? row.finished_at : null,
});

const actionDuty = (row: Row<'action_items'>): Duty => ({
  kind: 'action',
  id: row.id,
  title: row.title,
  dueAt: row.due_at,
  doneAt: row.status === 'closed' || row.status === 'risk_accepted' ? row.closed_at : null,
});

/**
 * Duties met ÷ duties due in a period, in whole per cent; null when none were due. A duty is met when it was done on
 * its due day or before. One that is due on the last day and not done yet still has time and is not counted.
 */
export function complianceRate(
  inspections: readonly Row<'inspections'>[],
  actions: readonly Row<'action_items'>[],
  period: Period,
): number | null {
  return rateOf(countedDuties(inspections, actions, period));
}

/** The rate of duties that count, in whole per cent; null for none. */
export function rateOf(duties: readonly { met: boolean }[]): number | null {
  if (duties.length === 0) return null;
  return Math.round((duties.filter(({ met }) => met).length * 100) / duties.length);
}

/** The duties a rate is made of, each with whether it was met. */
export function countedDuties(
  inspections: readonly Row<'inspections'>[],
  actions: readonly Row<'action_items'>[],
  period: Period,
): (Duty & { met: boolean })[] {
  const duties = [
    ...inspections.map(inspectionDuty),
    ...actions.filter(({ status }) => !VOID.has(status)).map(actionDuty),
  ];
  return duties.flatMap(duty => {
    const met = verdict(duty, period);
    return met === null ? [] : [{ ...duty, met }];
  });
}

function verdict({ dueAt, doneAt }: Duty, { from, to }: Period): boolean | null {
  if (dueAt === null) return null;
  const due = dayOf(dueAt);
  if (due < from || due > to) return null;
  if (doneAt === null) return due < to ? false : null;
  return dayOf(doneAt) <= due;
}
