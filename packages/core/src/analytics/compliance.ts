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

/** The rate of duties that count, in whole per cent; null for none. */
export function rateOf(duties: readonly { met: boolean }[]): number | null {
  if (duties.length === 0) return null;
  return Math.round((duties.filter(({ met }) => met).length * 100) / duties.length);
}

/** `day`: the local day it was due on. */
export type CountedDuty = Duty & { met: boolean; day: string };

/** Those due in a part of the period. */
export const dueIn = (duties: readonly CountedDuty[], { from, to }: Period): CountedDuty[] =>
  duties.filter(({ day }) => day >= from && day <= to);

/**
 * The duties due in a period that ends today. A duty is met when it was done on its due day or before. One that is due
 * today and not done yet still has time and is not counted.
 */
export function countedDuties(
  inspections: readonly Row<'inspections'>[],
  actions: readonly Row<'action_items'>[],
  period: Period,
): CountedDuty[] {
  const duties = [
    ...inspections.map(inspectionDuty),
    ...actions.filter(({ status }) => !VOID.has(status)).map(actionDuty),
  ];
  return duties.flatMap(duty => {
    if (duty.dueAt === null) return [];
    const day = dayOf(duty.dueAt);
    if (day < period.from || day > period.to || (duty.doneAt === null && day === period.to)) return [];
    return [{ ...duty, day, met: duty.doneAt !== null && dayOf(duty.doneAt) <= day }];
  });
}
