import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckIn } from '@cairn/core/wellness/check-in.ts';
import { MEASURES, trend, type Average, type Measure, type Trend } from '@cairn/core/wellness/trends.ts';
import { Chart } from '@cairn/ui/data/chart.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatNumber } from '../../shared/format/format.ts';

type Props = { rows: readonly CheckIn[]; today: string };

/** What is drawn: answers of 1 to 5. Sleep has another scale and stands as a figure. */
const DRAWN = ['mood', 'energy', 'stress'] as const satisfies readonly Measure[];

/** The last 7 or 30 days as lines, with means and the number of days they are made of. */
export const TrendsCard = memo(function TrendsCard({ rows, today }: Props) {
  const { t } = useTranslation('wellness');
  const [length, setLength] = useState<'7' | '30'>('7');
  const found = trend(rows, today, Number(length));
  const points = found.days.map(day => ({
    label: formatDay(new Date(`${day.day}T12:00:00`)),
    values: DRAWN.map(measure => day[measure]),
  }));
  const mood = found.averages.mood;
  return (
    <Card label={t('trends.title')} className="parts">
      <Chart
        title={t('trends.title')}
        summary={mood ? t('trends.summary', { mean: formatNumber(mood.mean, 1), n: mood.n }) : t('trends.none')}
        across={t('trends.day')}
        kind="line"
        series={DRAWN.map(measure => t(`trends.${measure}`))}
        points={points}
        format={value => formatNumber(value, 1)}
        words={{ asTable: t('trends.asTable'), asChart: t('trends.asChart'), loading: t('loading') }}
        aside={
          <Segmented
            label={t('trends.length')}
            value={length}
            onChange={value => setLength(value === '30' ? '30' : '7')}
            options={[
              { value: '7', label: t('trends.days', { count: 7 }) },
              { value: '30', label: t('trends.days', { count: 30 }) },
            ]}
          />
        }
      />
      <Means found={found} />
    </Card>
  );
});

function Means({ found }: { found: Trend }) {
  const { t } = useTranslation('wellness');
  return (
    <dl className="means">
      {MEASURES.map(measure => (
        <div key={measure}>
          <dt className="muted sm">{t(`trends.${measure}`)}</dt>
          <dd>
            <Mean average={found.averages[measure]} before={found.before[measure]} measure={measure} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Smallest change of a mean that is told, in its unit. */
const WORTH_TELLING = 0.1;

function Mean({ average, before, measure }: { average: Average | null; before: Average | null; measure: Measure }) {
  const { t } = useTranslation('wellness');
  if (!average) return <span className="muted">–</span>;
  const value = formatNumber(average.mean, 1);
  const change = before === null ? 0 : average.mean - before.mean;
  const direction = change > 0 ? 'more' : 'less';
  return (
    <>
      <span className="figure">{measure === 'sleep_hours' ? t('trends.hours', { value }) : value}</span>
      <span className="muted xs">{t('trends.of', { count: average.n })}</span>
      {Math.abs(change) >= WORTH_TELLING && (
        <span className="muted xs">{t(`trends.${direction}`, { by: formatNumber(Math.abs(change), 1) })}</span>
      )}
    </>
  );
}
