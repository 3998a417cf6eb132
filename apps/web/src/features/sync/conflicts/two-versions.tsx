import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Split } from 'lucide-react';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { useConflicts } from '../lists/use-engine-lists.ts';

type Props = { recordId: string; renderWay: (words: string) => ReactNode };

/** Says on a record's own screen that what stands there is one of two versions, with the way to the choice. */
export function TwoVersions({ recordId, renderWay }: Props) {
  const { t } = useTranslation('sync');
  const { told } = useConflicts();
  const isOpen = told?.some(conflict => conflict.recordId === recordId && !conflict.resolved);
  if (!isOpen) return null;
  return (
    <Banner icon={Split} title={t('twoVersions.title')} action={renderWay(t('twoVersions.way'))}>
      {t('twoVersions.text')}
    </Banner>
  );
}
