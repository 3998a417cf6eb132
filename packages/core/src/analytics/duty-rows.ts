import { addDays } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';
import { actionsByStatus, type DueRange } from '../action-items/queries.ts';
import { byStatus } from '../inspections/inspection-rows.ts';
import { inSpace, type Space } from '../spaces/space.ts';
import type { Period } from './compliance.ts';

const INSPECTIONS = Object.keys({
  scheduled: true,
  in_progress: true,
  finalised: true,
  has_issues: true,
  approved: true,
  rejected: true,
  closed: true,
} satisfies Record<Row<'inspections'>['status'], true>) as Row<'inspections'>['status'][];

/** All but those that turned out to be no duty. */
const ACTIONS = [
  'open',
  'assigned',
  'in_progress',
  'ready_for_verification',
  'needs_revision',
  'closed',
  'risk_accepted',
] as const;

export type DutyRows = { inspections: Row<'inspections'>[]; actions: Row<'action_items'>[] };

/** What falls due in a period of local days, whatever its state; read by due date, so that years of work cost nothing. */
export async function dutyRows(tx: Tx, space: Space, { from, to }: Period): Promise<DutyRows> {
  // A local day may begin a day earlier or end a day later than the same day in UTC, in which instants are kept.
  const due: DueRange = { from: addDays(from, -1), to: addDays(to, 2) };
  const here = <R extends Parameters<typeof inSpace>[0]>(rows: R[]) => rows.filter(row => inSpace(row, space));
  const [inspections, actions] = await Promise.all([byStatus(tx, INSPECTIONS, due), actionsByStatus(tx, ACTIONS, due)]);
  return { inspections: here(inspections), actions: here(actions) };
}
