import { Outlet, useMatches } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SkeletonHeading, SkeletonRows, SkeletonTiles } from '@cairn/ui/skeleton.tsx';

import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { SpaceProvider } from '../space/space-provider.tsx';
import { useSession } from '../session/session-context.tsx';
import { Loading } from './loading.tsx';
import { BottomNavigation, ProfileLink, Sidebar } from './navigation.tsx';
import { NoSpace } from './no-space.tsx';
import { OfflineDock, SyncLink } from './sync-corner.tsx';
import { SwitcherButton } from './switcher-button.tsx';
import { useConnectionWarning } from './use-connection-warning.ts';
import { usePageTitle } from './use-page-title.ts';
import './shell.css';

export const texts = loadTexts('shell', 'sync');

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A flow with a bar of its own: no top bar, no bottom navigation on a phone. */
    immersive?: boolean;
  }
}

/** The frame around every screen of a signed-in person. */
export function SignedInLayout() {
  const session = useSession();
  // The moment between the end of a session and the router's move to /auth.
  if (session.status !== 'signed_in') return <Loading />;
  return (
    <SpaceProvider whileReading={<Arriving />} whenNone={<NoSpace />}>
      <Frame />
    </SpaceProvider>
  );
}

function Frame() {
  const { t } = useTranslation('shell');
  const immersive = useMatches({ select: matches => matches.some(match => match.staticData.immersive === true) });
  useConnectionWarning();
  usePageTitle();
  return (
    <div className={immersive ? 'shell immersive' : 'shell'}>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <Sidebar />
      <div className="frame">
        <header className="top">
          <SwitcherButton />
          <span className="grow" />
          <SyncLink />
          <ProfileLink />
        </header>
        <main id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <div className="dock">
        <OfflineDock />
        <BottomNavigation />
      </div>
    </div>
  );
}

/** The shape of the dashboard while the device is read. */
function Arriving() {
  const { t } = useTranslation('shell');
  return (
    <div className="shell">
      <div className="side" />
      <div className="frame">
        <header className="top" />
        <main className="arriving">
          <SkeletonHeading label={t('loading')} />
          <SkeletonTiles label={t('loading')} />
          <SkeletonRows label={t('loading')} />
        </main>
      </div>
    </div>
  );
}
