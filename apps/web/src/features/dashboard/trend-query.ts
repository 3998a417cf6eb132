import { addDays } from '@cairn/base/local-day.ts';
import { complianceRate } from '@cairn/core/analytics/compliance.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import type { Query } from '@cairn/sync/store.ts';

type Request = {
  space: Space;
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  weeks: number;
};

/** The compliance rate of each of the last weeks in per cent, oldest first; weeks without a duty are left out. */
export function complianceTrend({ space, today, weeks }: Request): Query<number[]> {
  return {
    key: `dashboard/complianceTrend/${spaceKey(space)}/${today}/${weeks}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const inspections = (await tx.all('inspections')).filter(row => inSpace(row, space));
      const actions = (await tx.all('action_items')).filter(row => inSpace(row, space));
      return Array.from({ length: weeks }, (_, index) => {
        const to = addDays(today, (index - weeks + 1) * 7);
        return complianceRate(inspections, actions, { from: addDays(to, -6), to });
      }).filter(rate => rate !== null);
    },
  };
}
