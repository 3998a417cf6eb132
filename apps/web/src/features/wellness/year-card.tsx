import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { dayMeans } from '@cairn/core/wellness/trends.ts';
import { HeatTable } from '@cairn/ui/data/heat-table.tsx';
import type { HeatDay } from '@cairn/ui/data/heat-weeks.ts';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatDays, weekStart } from '../../shared/format/format.ts';
import { weekdayNames } from '../../shared/format/weekday-name.ts';
import { useScaleLabels } from './wellness-labels.ts';

const YEAR = 365;

/** The newest days stand at the end of what scrolls. */
const toNewest = (place: HTMLElement | null): void => place?.scrollTo({ left: place.scrollWidth });

const lookOf = ({ value }: HeatDay) => ({ 'data-mood': value ?? undefined });

/** A year in the colours of the stones: one square a day, the same in words for a screen reader. */
export const YearCard = memo(function YearCard({ rows, today }: { rows: readonly CheckIn[]; today: string }) {
  const { t, i18n } = useTranslation('wellness');
  const words = useScaleLabels().mood;
  const first = addDays(today, 1 - YEAR);
  const moods = new Map(dayMeans(rows).map(({ day, mood }) => [day, mood]));
  const year = Array.from({ length: YEAR }, (_, index) => addDays(first, index));
  const dates = formatDays(year);
  const nothing = t('year.nothing');
  const days = year.map((day, index): HeatDay => {
    const mood = moods.get(day) ?? null;
    const level = mood === null ? null : Math.round(mood);
    const text = level === null ? nothing : (words[level - 1] ?? '');
    return { day, value: level, label: `${dates[index]}: ${text}` };
  });
  const start = weekStart();
  return (
    <Card label={t('year.title')} className="parts">
      <CardHead title={t('year.title')} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <section className="heat year" tabIndex={0} aria-label={t('year.label')} ref={toNewest}>
        <HeatTable
          label={t('year.label')}
          days={days}
          weekdays={weekdayNames(start, i18n.language)}
          weekStart={start}
          look={lookOf}
        />
      </section>
      <p className="year-scale muted xs" aria-hidden="true">
        {words.map((word, index) => (
          <span key={word}>
            <i data-mood={index + 1} />
            {word}
          </span>
        ))}
      </p>
    </Card>
  );
});
