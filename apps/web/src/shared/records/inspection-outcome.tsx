import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { useFormat } from '../format/format.ts';

type Props = {
  inspection: Pick<Row<'inspections'>, 'score' | 'score_max' | 'result'>;
  /** Stands between the points and the result. */
  children?: ReactNode;
};

/** How a finished inspection ended: its points of all, passed or failed. The texts of `field` are loaded by the route. */
export function InspectionOutcome({ inspection: { score, score_max: most, result }, children }: Props) {
  const { t } = useTranslation('field');
  const { formatNumber } = useFormat();
  const percent = most ? Math.round(((score ?? 0) * 100) / most) : null;
  return (
    <span className="row">
      {percent !== null && <span className="num strong">{t('row.percent', { percent: formatNumber(percent) })}</span>}
      {children}
      {result === 'pass' && <StatusChip state="done">{t('result.pass')}</StatusChip>}
      {result === 'fail' && <StatusChip state="finding">{t('result.fail')}</StatusChip>}
    </span>
  );
}
