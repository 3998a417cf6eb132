import { useTranslation } from 'react-i18next';
import { BrandMark } from '@cairn/ui/feedback/stone.tsx';

/** The picture beside the form on wide screens: a cairn in its landscape, and what the product promises. */
export function SignInArt() {
  const { t } = useTranslation('auth');
  return (
    <aside className="pane">
      <p className="brand">
        <BrandMark />
        <span>Cairn</span>
      </p>
      <p className="promise">
        {t('line1')}
        <br />
        {t('line2')}
      </p>
    </aside>
  );
}
