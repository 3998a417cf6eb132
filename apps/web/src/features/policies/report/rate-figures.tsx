import { useTranslation } from 'react-i18next';
import { Download, Printer } from 'lucide-react';
import {
  ratesCsv,
  shareOf,
  spansOf,
  type RateAnswer,
  type RateDay,
  type RateSpan,
  type RateStep,
} from '@cairn/core/policies/acknowledgement-rates.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Chart } from '@cairn/ui/data/chart.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SideScroll } from '@cairn/ui/layout/side-scroll.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDays, useFormat } from '../../../shared/format/format.ts';
import { saveFile } from '../../../shared/files/save-file.ts';

type Props = {
  answer: RateAnswer;
  step: RateStep;
  /** Days looked back. */
  count: number;
};

/** The line, the figures behind it, and what takes them along. */
export function RateFigures({ answer: { until, days, zone }, step, count }: Props) {
  const { t } = useTranslation('rates');
  const { formatNumber } = useFormat();
  const percent = usePercent();
  const latest = days.at(-1);
  if (until === null || !latest) return <EmptyState title={t('none')}>{t('noneText')}</EmptyState>;
  const spans = spansOf(days, step, until, count);
  const summary = t('summary', {
    share: percent(latest, 'done'),
    day: formatDays([latest.day])[0] ?? latest.day,
    done: formatNumber(latest.done),
    asked: formatNumber(latest.asked),
    overdue: formatNumber(latest.overdue),
  });
  return (
    <>
      <p>{summary}</p>
      <Card>
        <RateChart spans={spans} step={step} summary={summary} />
      </Card>
      <TakeAlong spans={spans} step={step} />
      <Card flush>
        <SideScroll label={t('asTable')}>
          <Figures spans={spans} step={step} />
        </SideScroll>
      </Card>
      <p className="muted sm">{t('counted', { zone: zone.replaceAll('_', ' ') })}</p>
    </>
  );
}

function usePercent() {
  const { t } = useTranslation('rates');
  const { formatNumber } = useFormat();
  return (at: RateDay | null, what: 'done' | 'overdue'): string => {
    const share = shareOf(at, what);
    return share === null ? '–' : t('percent', { value: formatNumber(share, 1) });
  };
}

/** What stands at the edge of the chart and in the table, in the order of the spans. */
function useSpanNames(spans: readonly RateSpan[], step: RateStep): string[] {
  const { i18n } = useTranslation('rates');
  const days = spans.map(({ from }) => from);
  if (step !== 'month') return formatDays(days);
  const month = new Intl.DateTimeFormat(i18n.resolvedLanguage, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return days.map(day => month.format(new Date(`${day}T12:00:00Z`)));
}

type SpansProps = { spans: readonly RateSpan[]; step: RateStep };

function RateChart({ spans, step, summary }: SpansProps & { summary: string }) {
  const { t } = useTranslation('rates');
  const { formatNumber } = useFormat();
  const names = useSpanNames(spans, step);
  return (
    <Chart
      title={t('title')}
      summary={summary}
      across={t(`first.${step}`)}
      // One day alone makes no line.
      kind={spans.length > 1 ? 'line' : 'bar'}
      series={[t('doneShare'), t('overdueShare')]}
      points={spans.map(({ at }, index) => ({
        label: names[index] ?? '',
        values: [shareOf(at, 'done'), shareOf(at, 'overdue')],
      }))}
      format={value => t('percent', { value: formatNumber(value, 1) })}
      words={{ asTable: t('asTable'), asChart: t('asChart'), loading: t('loading') }}
    />
  );
}

function TakeAlong({ spans, step }: SpansProps) {
  const { t } = useTranslation('rates');
  const titles = [
    t(`first.${step}`),
    t('last'),
    t('asked'),
    t('done'),
    t('overdue'),
    t('doneShare'),
    t('overdueShare'),
  ];
  const save = () => saveFile(`${t('file')}.csv`, new Blob([ratesCsv(spans, titles)], { type: 'text/csv' }));
  return (
    <div className="row wrap policy-no-print">
      <Button icon={Download} onClick={save}>
        {t('csv')}
      </Button>
      <Button icon={Printer} onClick={() => window.print()}>
        {t('print')}
      </Button>
    </div>
  );
}

/** The figures behind the chart, the newest first. */
function Figures({ spans, step }: SpansProps) {
  const { t } = useTranslation('rates');
  const { formatNumber } = useFormat();
  const percent = usePercent();
  const names = useSpanNames(spans, step);
  const rows = spans.map(({ from, at }, index) => ({ from, at, name: names[index] ?? from })).toReversed();
  return (
    <table className="plain-table rate-table">
      <caption className="sr">{t('title')}</caption>
      <thead>
        <tr>
          {[t(`first.${step}`), t('done'), t('overdue')].map((head, index) => (
            <th key={head} scope="col" className={index > 0 ? 'num' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ from, at, name }) => (
          <tr key={from}>
            <th scope="row">{name}</th>
            <td className="num">
              {percent(at, 'done')}
              {at && (
                <span className="rate-of muted">
                  {t('ratio', { done: formatNumber(at.done), asked: formatNumber(at.asked) })}
                </span>
              )}
            </td>
            <td className="num">{at ? formatNumber(at.overdue) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
