import { useTranslation } from 'react-i18next';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { useFormat } from '../../shared/format.ts';
import type { Action } from './action-screen-queries.ts';

const STEPS = ['escalated.step1', 'escalated.step2', 'escalated.step3'] as const;

/** What stands out about it: a risk that is borne until a day, or a delay that was told further up. */
export function ActionStanding({ item }: { item: Action }) {
  const { t } = useTranslation('actions');
  const { formatDay } = useFormat();
  const until = item.risk_until === null ? null : formatDay(new Date(`${item.risk_until}T12:00:00`));
  return (
    <>
      {until !== null && (
        <Banner tone="info" title={t(item.status === 'risk_accepted' ? 'risk.accepted' : 'risk.asked', { until })}>
          {item.risk_reason}
        </Banner>
      )}
      {item.escalation > 0 && !isEnded(item.status) && (
        <Banner tone="warn" title={t('escalated.title')}>
          {t(STEPS[item.escalation - 1] ?? 'escalated.step3')}
        </Banner>
      )}
    </>
  );
}
