import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComplianceOverview } from '@cairn/core/dashboard/compliance.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatNumber } from '../../shared/format/format.ts';
import { ChartBoundary } from './chart-boundary.tsx';

const ComplianceChart = lazy(async () => ({ default: (await import('./compliance-chart.tsx')).ComplianceChart }));

/** How duties were met over twelve weeks: one line, with its table behind it. */
export function ComplianceCard({ overview, now }: { overview: ComplianceOverview; now: Date }) {
  const { t } = useTranslation('dashboard');
  const [asTable, setAsTable] = useState(false);
  const table = <WeekTable overview={overview} now={now} />;
  return (
    <Card flush label={t('compliance.title')}>
      <CardHead title={t('compliance.title')} />
      {overview.rate === null ? (
        <p className="muted sm dashboard-none">{t('compliance.none')}</p>
      ) : (
        <>
          <Headline overview={overview} />
          {asTable ? (
            table
          ) : (
            <ChartBoundary instead={<ChartFailed>{table}</ChartFailed>}>
              <Suspense fallback={<output className="chart-place muted sm">{t('compliance.loading')}</output>}>
                <ComplianceChart weeks={overview.weeks} now={now} />
              </Suspense>
            </ChartBoundary>
          )}
          <div className="card-foot">
            <Button variant="plain" size="sm" onClick={() => setAsTable(!asTable)}>
              {t(asTable ? 'compliance.asChart' : 'compliance.asTable')}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

function Headline({ overview: { rate, before } }: { overview: ComplianceOverview }) {
  const { t } = useTranslation('dashboard');
  const change = rate === null || before === null ? null : rate - before;
  return (
    <p className="compliance-now">
      <span className="compliance-rate">{t('compliance.percent', { value: formatNumber(rate ?? 0) })}</span>
      <span className="muted sm">{t('compliance.now')}</span>
      {change !== null && (
        <span className="muted sm">
          {change === 0
            ? t('compliance.same')
            : t(change > 0 ? 'compliance.better' : 'compliance.worse', { count: Math.abs(change) })}
        </span>
      )}
    </p>
  );
}

function ChartFailed({ children }: { children: ReactNode }) {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <p className="muted sm dashboard-none">{t('compliance.failed')}</p>
      {children}
    </>
  );
}

function WeekTable({ overview: { weeks }, now }: { overview: ComplianceOverview; now: Date }) {
  const { t } = useTranslation('dashboard');
  return (
    <table className="week-table">
      <caption className="sr">{t('compliance.tableLabel')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('compliance.week')}</th>
          <th scope="col">{t('compliance.rate')}</th>
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map(({ to, rate }) => (
          <tr key={to}>
            <th scope="row">{formatDay(new Date(`${to}T12:00:00`), now)}</th>
            <td>{rate === null ? '–' : t('compliance.percent', { value: formatNumber(rate) })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
