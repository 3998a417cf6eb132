import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { QueryClientProvider } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { from } from '@cairn/ui/tokens/breakpoints.ts';
import { SkeletonHeading, SkeletonRows, SkeletonTiles } from '@cairn/ui/feedback/skeleton.tsx';
import type { RecordName } from '@cairn/core/record-here.ts';
import { isPartOf, moduleAt, type ModuleId } from '@cairn/core/spaces/modules.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useHasOwnFoot } from '../../shared/page/own-foot.ts';
import { useShownPreferences } from '../../shared/session/preferences.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useIdle } from '../../shared/page/use-idle.ts';
import { useCommands } from '../commands/use-commands.tsx';
import { createQueryClient } from '../query-client.ts';
import { SpaceProvider, useSwitcher } from '../space/space-provider.tsx';
import { LimitedBanner } from '../../features/lock/limited-banner.tsx';
import { LockGate } from '../../features/lock/lock-gate.tsx';
import { ServerCallsProvider } from '../session/ports/server-calls-provider.tsx';
import { useSession } from '../session/session-context.tsx';
import { useLockPorts } from '../session/ports/use-lock-ports.ts';
import { useSharedCopies } from '../session/ports/use-shared-copies.ts';
import { useTokenRotation } from '../session/ports/use-token-rotation.ts';
import { KioskGate } from './kiosk-gate.tsx';
import { Loading } from './loading.tsx';
import { BottomNavigation, MenuButton, Sidebar } from './navigation/navigation.tsx';
import { NotificationBell } from './navigation/notification-bell.tsx';
import { NoSpace } from './not-found/no-space.tsx';
import { NotInPlaybook } from './not-found/not-in-playbook.tsx';
import { QuietBoundary } from './errors/quiet-boundary.tsx';
import type { AddressedRecord } from './not-found/record-of-other-world.tsx';
import { OfflineDock, SyncLink } from './sync-state/sync-corner.tsx';
import { SwitcherButton } from './navigation/switcher-button.tsx';
import { useConnectionWarning } from './sync-state/use-connection-warning.ts';
import { useMedia } from './navigation/use-media.ts';
import { usePageTitle } from './use-page-title.ts';
import { useRenamedAddress } from './use-renamed-address.ts';
import { useSide } from './navigation/use-side.ts';
import { useUsageTrail } from './use-usage-trail.ts';
import './navigation/shell.css';

const RecordOfOtherWorld = lazy(async () => ({
  default: (await import('./not-found/record-of-other-world.tsx')).RecordOfOtherWorld,
}));
const InstallBanner = lazy(async () => ({ default: (await import('../pwa/install-banner.tsx')).InstallBanner }));
const AppStateMirror = lazy(async () => ({ default: (await import('../usage/app-state-mirror.tsx')).AppStateMirror }));
const UsageCollector = lazy(async () => ({ default: (await import('../usage/usage-collector.tsx')).UsageCollector }));

const LostWorkAlarm = lazy(async () => ({ default: (await import('./sync-state/lost-work-alarm.tsx')).LostWorkAlarm }));

const NotificationWatch = lazy(async () => ({
  default: (await import('../../features/notifications/notification-watch.tsx')).NotificationWatch,
}));

const CircleWatch = lazy(async () => ({
  default: (await import('../../features/support-circle/circle-watch.tsx')).CircleWatch,
}));

const KeepDocuments = lazy(async () => ({
  default: (await import('../../features/policies/document/keep-documents.tsx')).KeepDocuments,
}));

const KeepOffline = lazy(async () => ({
  default: (await import('../../features/sync/storage/keep-offline.tsx')).KeepOffline,
}));

export const texts = loadTexts('shell', 'modules', 'notifications', 'sync');

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A flow with a bar of its own: no top bar on a phone. */
    immersive?: boolean;
    /** The record a screen of one world alone shows, by the last parameter of its address. */
    record?: Pick<RecordName, 'table' | 'by'> | { table: 'policy_packs' };
  }
}

/** The frame around every screen of a signed-in person. */
export function SignedInLayout() {
  const session = useSession();
  const userId = session.status === 'signed_in' ? session.user.id : null;
  // The moment between the end of a session and the router's move to /auth.
  if (userId === null) return <Loading />;
  return (
    <Queries key={userId}>
      <Locked>
        <ServerCallsProvider>
          <SpaceProvider whileReading={<Arriving />} whenNone={<NoSpace />}>
            <KioskGate whileFetched={<Loading />}>
              <Frame />
            </KioskGate>
          </SpaceProvider>
        </ServerCallsProvider>
      </Locked>
    </Queries>
  );
}

function Locked({ children }: { children: ReactNode }) {
  useTokenRotation();
  return (
    <LockGate ports={useLockPorts()} whileAsking={<Arriving />}>
      {children}
    </LockGate>
  );
}

/** What the server told one person is not kept for the next: another `key` is another client. */
function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function Frame() {
  const { t } = useTranslation('shell');
  const immersive = useMatches({ select: matches => matches.some(match => match.staticData.immersive === true) });
  const hasOwnFoot = useHasOwnFoot();
  const side = useSide();
  const commands = useCommands(side);
  const { history } = useRouter();
  const open = useCallback((path: string) => history.push(path), [history]);
  const copies = useSharedCopies();
  const isIdle = useIdle();
  // Usage is counted from the first screens on, so it waits for a gap only.
  const counts = useIdle(0);
  const trail = useUsageTrail();
  // A phone never shows it, and its links are most of what a start would draw.
  const hasSide = useMedia(from('md'));
  useShownPreferences();
  useConnectionWarning();
  usePageTitle();
  useRenamedAddress();
  return (
    <div
      className={`shell${immersive ? ' immersive' : ''}${hasOwnFoot ? ' own-foot' : ''}`}
      data-side={side.isFull ? 'full' : 'rail'}
    >
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      {hasSide && <Sidebar side={side} onFind={commands.openPalette} />}
      <div className="frame">
        <header className="top">
          <SwitcherButton />
          <span className="grow" />
          <IconButton label={t('palette.open')} icon={Search} onClick={commands.openSearch} className="top-find" />
          <SyncLink />
          <NotificationBell />
          <MenuButton />
        </header>
        <main id="content" tabIndex={-1}>
          <LimitedBanner />
          <Screen />
          {isIdle && (
            <QuietBoundary>
              <InstallBanner />
            </QuietBoundary>
          )}
        </main>
      </div>
      <div className="dock">
        <OfflineDock />
        <BottomNavigation />
      </div>
      {commands.dialogs}
      {counts && (
        <QuietBoundary>
          <UsageCollector trail={trail} />
        </QuietBoundary>
      )}
      {isIdle && (
        <>
          <QuietBoundary>
            <AppStateMirror />
          </QuietBoundary>
          <QuietBoundary>
            <LostWorkAlarm />
          </QuietBoundary>
          <QuietBoundary>
            <NotificationWatch open={open} />
          </QuietBoundary>
          <QuietBoundary>
            <CircleWatch copies={copies} />
          </QuietBoundary>
          <QuietBoundary>
            <KeepDocuments />
          </QuietBoundary>
          <QuietBoundary>
            <KeepOffline />
          </QuietBoundary>
        </>
      )}
    </div>
  );
}

/** The module of the screen, and the record that its address names where it belongs to one world alone. */
const useAddressed = (): { id: ModuleId | null; record: AddressedRecord | null } =>
  useMatches({
    select: matches => {
      const { staticData, params, pathname } = matches.at(-1) ?? {};
      const id = Object.values<string>(params ?? {}).at(-1);
      const record = staticData?.record && id !== undefined ? { ...staticData.record, id } : null;
      return { id: moduleAt(pathname ?? ''), record };
    },
    structuralSharing: true,
  });

/** The screen of the address, unless its module is no part of the open playbook. */
function Screen() {
  const { world } = useSpace();
  const { organizations, choosePlaybook, mayAnywhere } = useSwitcher();
  const { id, record } = useAddressed();
  // Who looks after the listings does so wherever they are, also in no company.
  const isReviewing = id === 'policy-marketplace' && mayAnywhere('platform.moderate');
  if (id === null || isPartOf(id, world) || isReviewing) return <Outlet />;
  const elsewhere = <NotInPlaybook id={id} organizations={organizations} onOpen={choosePlaybook} />;
  if (record === null) return elsewhere;
  return (
    <Suspense fallback={null}>
      <RecordOfOtherWorld record={record}>{elsewhere}</RecordOfOtherWorld>
    </Suspense>
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
