import { memo, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import type { HabitYear } from '@cairn/core/habits/queries.ts';
import { HeatMap } from '@cairn/ui/data/heat-map.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDays, formatNumber, weekStart } from '../../shared/format/format.ts';
import { weekdayNames } from '../../shared/format/weekday-name.ts';

const YEAR = 365;
const SHADE = { done: 4, rule: 2, missed: 1, skip: 1, no: 0, unknown: 0 } as const;
const STATUSES = ['done', 'rule', 'missed', 'skip', 'no', 'unknown'] as const;

type Props = { days: HabitYear['days']; unit: string | null; today: string };

/** A year of a habit, a stone a day. Drawn again only when its days change: what comes later of the habit leaves it alone. */
export const YearOfDays = memo(function YearOfDays({ days, unit, today }: Props) {
  const { t, i18n } = useTranslation('habits');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The newest days stand at the end of what scrolls.
    const map = place.current?.querySelector('.heat');
    map?.scrollTo({ left: map.scrollWidth });
  }, []);
  const shown = useMemo(() => {
    const known = new Map(days.map(day => [day.day, day]));
    const words = Object.fromEntries(STATUSES.map(status => [status, t(`status.${status}`)]));
    const year = Array.from({ length: YEAR }, (_, index) => addDays(today, index + 1 - YEAR));
    const dates = formatDays(year);
    return year.map((day, index) => {
      const { status = 'unknown', amount = null } = known.get(day) ?? {};
      const much = amount === null ? '' : ` ${formatNumber(amount, 2)} ${unit ?? ''}`;
      return { day, value: SHADE[status], label: `${dates[index]}: ${words[status]}${much}` };
    });
  }, [days, unit, t, today]);
  const start = weekStart();
  return (
    <Card label={t('year.title')} className="parts">
      <h2 className="h2">{t('year.title')}</h2>
      <div ref={place}>
        <HeatMap
          label={t('year.label')}
          days={shown}
          weekdays={weekdayNames(start, i18n.language)}
          weekStart={start}
          ends={[t('year.none'), t('year.done')]}
        />
      </div>
    </Card>
  );
});
