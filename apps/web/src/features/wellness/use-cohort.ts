import { useQuery } from '@tanstack/react-query';
import { addDays } from '@cairn/base/local-day.ts';
import { FIGURE_WEEKS, MIN_PEOPLE, type CohortFigure } from '@cairn/core/wellness/cohort.ts';
import { useServerCalls } from '../../shared/server/server-calls.ts';

export type CohortSettings = { is_on: boolean; minimum: number };

const OFF: CohortSettings = { is_on: false, minimum: MIN_PEOPLE };

export const settingsKey = (employerId: string) => ['cohort', 'settings', employerId];

/** Whether an organisation asks for figures, and from how many people on. */
export function useCohortSettings(employerId: string) {
  const calls = useServerCalls();
  return useQuery({
    queryKey: settingsKey(employerId),
    queryFn: async () => {
      const wanted = { table: 'cohort_settings', filter: { organization_id: employerId }, newestBy: 'organization_id' };
      return (await calls.rows<CohortSettings>(wanted))[0] ?? OFF;
    },
  });
}

/** What was released of four weeks (their first Monday), and of those a hint compares them with. */
export function useFigures(employerId: string, week: string) {
  const calls = useServerCalls();
  const before = addDays(week, -7 * FIGURE_WEEKS);
  return useQuery({
    queryKey: ['cohort', 'figures', employerId, week],
    queryFn: async () => {
      const of = (each: string, rest: Record<string, string> = {}) =>
        calls.rows<CohortFigure>({
          table: 'cohort_figures',
          filter: { organization_id: employerId, week: each, ...rest },
          newestBy: 'place_id',
        });
      const [now, earlier] = await Promise.all([of(week), of(before, { measure: 'stress' })]);
      return { now, earlier };
    },
  });
}
