import { addDays } from '@cairn/base/local-day.ts';
import type { Query } from '@cairn/sync/store.ts';
import { countedDuties, dueIn, rateOf, type CountedDuty } from '../analytics/compliance.ts';
import { dutyRows } from '../analytics/duty-rows.ts';
import { spaceKey, type Space } from '../spaces/space.ts';

/** Days the rate of the dashboard looks back, today included. */
const PERIOD_DAYS = 90;

export type WeekOfCompliance = {
  /** Its days, YYYY-MM-DD, both included. */
  from: string;
  to: string;
  /** Whole per cent; null where no duty was due. */
  rate: number | null;
};

export type ComplianceOverview = {
  /** The rate of 90 days, whole per cent; null where no duty was due. */
  rate: number | null;
  met: number;
  due: number;
  /** The rate of the 90 days before, to compare with. */
  before: number | null;
  /** The last twelve weeks, the oldest first; the last ends today. */
  weeks: WeekOfCompliance[];
  /** Every duty that counts: those not met first, then the latest due first. */
  duties: CountedDuty[];
};

const WEEKS = 12;

/** How the duties of a space were met, with the rows behind the rate. `today`: the local day, YYYY-MM-DD. */
export function complianceOverview({ space, today }: { space: Space; today: string }): Query<ComplianceOverview> {
  return {
    key: `dashboard/complianceOverview/${spaceKey(space)}/${today}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const whole = { from: addDays(today, 1 - 2 * PERIOD_DAYS), to: today };
      const { inspections, actions } = await dutyRows(tx, space, whole);
      const all = countedDuties(inspections, actions, whole);
      const counted = dueIn(all, { from: addDays(today, 1 - PERIOD_DAYS), to: today });
      const before = { from: whole.from, to: addDays(today, -PERIOD_DAYS) };
      return {
        rate: rateOf(counted),
        met: counted.filter(({ met }) => met).length,
        due: counted.length,
        before: rateOf(dueIn(all, before)),
        weeks: Array.from({ length: WEEKS }, (_, index) => {
          const to = addDays(today, (index - WEEKS + 1) * 7);
          const week = { from: addDays(to, -6), to };
          return { ...week, rate: rateOf(dueIn(all, week)) };
        }),
        duties: counted.toSorted(
          (a, b) => Number(a.met) - Number(b.met) || Date.parse(b.dueAt ?? '') - Date.parse(a.dueAt ?? ''),
        ),
      };
    },
  };
}
