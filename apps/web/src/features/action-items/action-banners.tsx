import { useTranslation } from 'react-i18next';
import { OctagonX } from 'lucide-react';
import { holdsAsset } from '@cairn/core/assets/service-status.ts';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import type { Row } from '@cairn/schema';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { Action } from './action-screen-queries.ts';

const STEPS = ['escalated.step1', 'escalated.step2', 'escalated.step3'] as const;

type Props = { item: Action; asset: Pick<Row<'assets'>, 'name' | 'status'> | null };

/** What stands out about it: an asset that is out of service until it is verified, a risk that is borne until a day, or a delay that was told further up. */
export function ActionBanners({ item, asset }: Props) {
  const { t } = useTranslation('actions');
  const { formatDay } = useFormat();
  const until = item.risk_until === null ? null : formatDay(new Date(`${item.risk_until}T12:00:00`));
  return (
    <>
      {asset && asset.status !== 'retired' && holdsAsset(item) && (
        <Banner tone="bad" icon={OctagonX} title={t('outOfService.title', { asset: asset.name })}>
          {t('outOfService.text')}
        </Banner>
      )}
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
