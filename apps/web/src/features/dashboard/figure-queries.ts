import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

const END = '\uffff';
const DAY_MS = 86_400_000;
/** Days over which the compliance rate looks back (product.md, Q9). */
const RATE_DAYS = 90;
const TREND_WEEKS = 12;

/** Something that had to be done by a day. Times in ms since 1970; `doneAt` null while it is not. */
type Duty = { dueAt: number; doneAt: number | null };

export type Figures = {
  /** Null while there is nothing to count. */
  rate: { met: number; due: number; percent: number } | null;
  /** Per cent of duties met by week, oldest first; weeks without a duty are left out. */
  trend: number[];
  members: number;
};

const INSPECTION_STATUSES = ['scheduled', 'in_progress', 'finalised', 'approved', 'rejected', 'closed'] as const;
const ACTION_STATUSES = [
  'open',
  'assigned',
  'in_progress',
  'ready_for_verification',
  'needs_revision',
  'closed',
  'risk_accepted',
] as const;

/** Duties of the last 90 days and people of an organisation. @param today ms since 1970, start of the local day */
export function figures(organizationId: string, today: number): Query<Figures> {
  return {
    key: `dashboard/figures/${organizationId}/${today}`,
    tables: ['inspections', 'action_items', 'organization_members'],
    async read(tx) {
      const duties = [
        ...(await inspectionDuties(tx, organizationId)),
        ...(await actionDuties(tx, organizationId)),
      ].filter(({ dueAt }) => dueAt >= today - RATE_DAYS * DAY_MS && dueAt < today + DAY_MS);
      const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
      return {
        rate: complianceRate(duties, today),
        trend: weeklyTrend(duties, today),
        members: members.filter(row => row.deleted_at === null).length,
      };
    },
  };
}

/** The local day of an instant, as ms of its midnight. */
export const startOfDay = (instant: number | Date): number => new Date(instant).setHours(0, 0, 0, 0);

const isMet = ({ dueAt, doneAt }: Duty): boolean => doneAt !== null && startOfDay(doneAt) <= startOfDay(dueAt);

/** A duty of today that is still open is neither met nor missed yet. */
const isDecided = (duty: Duty, today: number): boolean => isMet(duty) || duty.dueAt < today;

/** Duties met ÷ duties due, in whole per cent; null when none were due. */
export function complianceRate(duties: readonly Duty[], today: number): Figures['rate'] {
  const decided = duties.filter(duty => isDecided(duty, today));
  if (decided.length === 0) return null;
  const met = decided.filter(isMet).length;
  return { met, due: decided.length, percent: Math.round((met / decided.length) * 100) };
}

function weeklyTrend(duties: readonly Duty[], today: number): number[] {
  const weeks = Array.from({ length: TREND_WEEKS }, (_, index) => {
    const end = today + DAY_MS - (TREND_WEEKS - 1 - index) * 7 * DAY_MS;
    return complianceRate(
      duties.filter(({ dueAt }) => dueAt >= end - 7 * DAY_MS && dueAt < end),
      today,
    );
  });
  return weeks.filter(week => week !== null).map(week => week.percent);
}

const ms = (text: string | null): number | null => (text === null ? null : Date.parse(text));
type Belongs = { organization_id: string; deleted_at: string | null; due_at: string | null };

function dueIn<T extends Belongs>(rows: T[], organizationId: string): (T & { due_at: string })[] {
  return rows.filter(
    (row): row is T & { due_at: string } =>
      row.organization_id === organizationId && row.deleted_at === null && row.due_at !== null,
  );
}

async function inspectionDuties(tx: Tx, organizationId: string): Promise<Duty[]> {
  const rows: Row<'inspections'>[] = [];
  for (const status of INSPECTION_STATUSES) {
    rows.push(...(await tx.range('inspections', 'status', `${status}/`, `${status}/${END}`)));
  }
  return dueIn(rows, organizationId).map(row => ({ dueAt: Date.parse(row.due_at), doneAt: ms(row.finished_at) }));
}

async function actionDuties(tx: Tx, organizationId: string): Promise<Duty[]> {
  const rows: Row<'action_items'>[] = [];
  for (const status of ACTION_STATUSES) {
    rows.push(...(await tx.range('action_items', 'status', `${status}/`, `${status}/${END}`)));
  }
  return dueIn(rows, organizationId).map(row => ({ dueAt: Date.parse(row.due_at), doneAt: ms(row.closed_at) }));
}
