import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useInstallOffer } from './install-prompt.ts';
import './install-banner.css';

/** Below the first screen, so that nothing on it moves when it comes: offers the home screen where the browser can; a "no" is remembered for this person. */
export function InstallBanner() {
  const { t } = useTranslation('shell');
  const { user } = useSignedIn();
  const { pathname } = useLocation();
  const offer = useInstallOffer(user.id);
  if (!offer || pathname !== '/dashboard') return null;
  return (
    <div className="install">
      <Banner
        title={t('install.title')}
        action={
          <>
            <Button size="sm" onClick={() => void offer.install()}>
              {t('install.now')}
            </Button>
            <Button size="sm" variant="plain" onClick={offer.dismiss}>
              {t('install.later')}
            </Button>
          </>
        }
      >
        {t('install.text')}
      </Banner>
    </div>
  );
}
