import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Stones } from '@cairn/ui/feedback/stone.tsx';
import './loading.css';

/** ms; anything faster shows nothing at all. */
const QUIET_MS = 300;

/** The moment before anything is known (R2.15): the stones, and only when it takes longer than a blink. */
export function Loading() {
  const { t } = useTranslation('shell');
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output className="loading" data-late={late}>
      <Stones />
      <span className="sr">{t('loading')}</span>
    </output>
  );
}
