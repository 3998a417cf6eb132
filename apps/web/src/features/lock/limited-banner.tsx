import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useLock } from './lock-ports.ts';
import './limited-banner.css';

/** Says what works in locked offline mode; gone once the server has vouched for the person. */
export function LimitedBanner() {
  const { t } = useTranslation('lock');
  const { isLimited } = useLock();
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (isLimited) void loadTexts('lock').then(() => setReady(true));
  }, [isLimited]);
  if (!isLimited || !ready) return null;
  return (
    <div className="limited">
      <Banner title={t('limited')}>{t('limitedText')}</Banner>
    </div>
  );
}
