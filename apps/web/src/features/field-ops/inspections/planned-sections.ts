import { localDay } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { InspectionLists } from './inspection-queries.ts';

export type PlannedSection = {
  key: 'in_progress' | 'overdue' | 'today' | 'later' | 'missed';
  rows: Row<'inspections'>[];
};

/** Days for which what was missed stands in the list. */
const MISSED_DAYS = 14;
const DAY_MS = 86_400_000;

/** What is to be done, most pressing first: begun, late, today, later; then what was missed. Empty sections are left out. */
export function plannedSections(
  { planned, inProgress }: Pick<InspectionLists, 'planned' | 'inProgress'>,
  now: Date,
): PlannedSection[] {
  const instant = now.toISOString();
  const today = localDay(now);
  const isLate = ({ due_at: due }: Row<'inspections'>) => due !== null && Date.parse(due) < Date.parse(instant);
  const isToday = ({ due_at: due }: Row<'inspections'>) => due !== null && localDay(new Date(due)) === today;
  const isRecent = ({ missed_at: missed }: Row<'inspections'>) =>
    missed !== null && Date.parse(missed) > now.getTime() - MISSED_DAYS * DAY_MS;
  const byDue = planned
    .filter(row => row.missed_at === null)
    .toSorted((a, b) => (a.due_at ?? '9999').localeCompare(b.due_at ?? '9999'));
  const sections: PlannedSection[] = [
    { key: 'in_progress', rows: inProgress.toSorted((a, b) => startOf(b).localeCompare(startOf(a))) },
    { key: 'overdue', rows: byDue.filter(isLate) },
    { key: 'today', rows: byDue.filter(row => !isLate(row) && isToday(row)) },
    { key: 'later', rows: byDue.filter(row => !isLate(row) && !isToday(row)) },
    {
      key: 'missed',
      rows: planned.filter(isRecent).toSorted((a, b) => (b.due_at ?? '').localeCompare(a.due_at ?? '')),
    },
  ];
  return sections.filter(section => section.rows.length > 0);
}

const startOf = (row: Row<'inspections'>): string => row.started_at ?? '';
