import { useTranslation } from 'react-i18next';
import { MIN_DAYS, isClear } from '@cairn/core/insights/correlation.ts';
import type { CorrelationReport, FactorCorrelation } from '@cairn/core/insights/insights.ts';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatNumber } from '../../shared/format/format.ts';

/** Signs stand before the figure in every language, also the minus. */
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value), 2)}`;

/** What goes together with mood: the figure, between what it lies, and how many days it is made of. */
export function TogetherCard({ together: { found, looked } }: { together: CorrelationReport }) {
  const { t } = useTranslation('insights');
  return (
    <Card label={t('together.title')} className="parts">
      <CardHead title={t('together.title')} />
      {looked === 0 ? (
        <p className="muted sm">{t('together.none', { count: MIN_DAYS })}</p>
      ) : (
        <>
          <ul className="insights-list">
            {found.map(each => (
              <TogetherRow
                key={each.beside.kind === 'habit' ? each.beside.habit.id : each.beside.kind}
                together={each}
              />
            ))}
          </ul>
          <p className="muted xs">{t('together.caution', { count: looked })}</p>
        </>
      )}
    </Card>
  );
}

function TogetherRow({ together: { beside, found } }: { together: FactorCorrelation }) {
  const { t } = useTranslation('insights');
  const name = beside.kind === 'habit' ? beside.habit.name : t(`together.${beside.kind}`);
  const direction = !isClear(found) ? 'open' : found.r > 0 ? 'up' : 'down';
  return (
    <li>
      <span className="t">{name}</span>
      <span className="figure">{signed(found.r)}</span>
      <span className="sm insights-wide">{t(`together.${direction}`)}</span>
      <span className="muted xs insights-wide">
        {t('together.between', { from: signed(found.from), to: signed(found.to), count: found.n, worth: found.worth })}
      </span>
    </li>
  );
}
