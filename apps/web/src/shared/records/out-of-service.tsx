import { useTranslation } from 'react-i18next';
import { OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { holdsOf } from '@cairn/core/assets/service-status.ts';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { useFormat } from '../format/format.ts';

type Props = {
  asset: Pick<Row<'assets'>, 'id' | 'name' | 'status'>;
  /** It is about to be inspected: says that this may be done all the same. */
  isInspected?: boolean;
  /** The way to the action item that is to be done. */
  renderWay?: (actionId: string, words: string) => ReactNode;
};

/** Says that a critical failure keeps an asset out of service, since when and why. Texts: area `field`. */
export function OutOfService({ asset, isInspected = false, renderWay }: Props) {
  const { t } = useTranslation('field');
  const { formatDay, formatTime } = useFormat();
  const found = useLive(holdsOf(asset.id));
  const [first, ...others] = found.status === 'ready' && asset.status !== 'retired' ? found.answer : [];
  if (!first) return null;
  const at = new Date(first.since);
  const since = t('service.since', { when: `${formatDay(at)} ${formatTime(at)}`, title: first.action.title });
  return (
    <Banner
      tone="bad"
      icon={OctagonX}
      title={t('service.out', { asset: asset.name })}
      action={renderWay?.(first.action.id, t('service.open'))}
    >
      <p>{others.length > 0 ? `${since} ${t('service.more', { count: others.length })}` : since}</p>
      <p>{isInspected ? t('service.inspect') : t('service.release')}</p>
    </Banner>
  );
}
