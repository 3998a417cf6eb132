import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { dayMeans } from '@cairn/core/wellness/trends.ts';
import { heatWeeks, type HeatDay } from '@cairn/ui/heat-weeks.ts';
import { Card, CardHead } from '@cairn/ui/surface.tsx';
import { formatDay, weekStart } from '../../shared/format.ts';
import { weekdayName } from '../../shared/weekday-name.ts';
import { useScaleWords } from './wellness-words.ts';
import '@cairn/ui/heat-map.css';

const YEAR = 365;

/** The newest days stand at the end of what scrolls. */
const toNewest = (place: HTMLElement | null): void => place?.scrollTo({ left: place.scrollWidth });

/** A year in the colours of the stones: one square a day, the same in words for a screen reader. */
export const YearCard = memo(function YearCard({ rows, today }: { rows: readonly CheckIn[]; today: string }) {
  const { t, i18n } = useTranslation('wellness');
  const words = useScaleWords().mood;
  const first = addDays(today, 1 - YEAR);
  const moods = new Map(dayMeans(rows).map(({ day, mood }) => [day, mood]));
  const days = Array.from({ length: YEAR }, (_, index) => addDays(first, index)).map((day): HeatDay => {
    const mood = moods.get(day) ?? null;
    const level = mood === null ? null : Math.round(mood);
    const said = level === null ? t('year.nothing') : (words[level - 1] ?? '');
    return { day, value: level, label: `${formatDay(new Date(`${day}T12:00:00`))}: ${said}` };
  });
  const start = weekStart();
  const weeks = heatWeeks(days, start);
  const names = Array.from({ length: 7 }, (_, index) => weekdayName(start + index, i18n.language, 'short'));
  return (
    <Card label={t('year.title')} className="parts">
      <CardHead title={t('year.title')} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <section className="heat year" tabIndex={0} aria-label={t('year.label')} ref={toNewest}>
        <table>
          <caption className="sr">{t('year.label')}</caption>
          <tbody>
            {names.map((name, weekday) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {weeks.map((week, index) => (
                  <td key={index}>
                    <DayStone day={week[weekday] ?? null} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
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

function DayStone({ day }: { day: HeatDay | null }) {
  if (!day) return null;
  return (
    <i data-mood={day.value ?? undefined} title={day.label}>
      <span className="sr">{day.label}</span>
    </i>
  );
}
