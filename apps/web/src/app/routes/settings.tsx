import { useCallback } from 'react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { rowClass, RowFace } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { AppLockCard } from '../../features/lock/app-lock-card.tsx';
import { AccountSection } from '../../features/settings/account-section.tsx';
import { SettingsScreen } from '../../features/settings/settings-screen.tsx';
import { TextMessages } from '../../features/settings/text-messages.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { OwnPicture } from '../../shared/media/own-picture.tsx';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import type { AccountCalls } from '../session/auth/auth-gate.ts';
import { endAccount } from '../session/end-account.ts';
import { useSessionController } from '../session/session-context.tsx';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';

export const texts = loadTexts('settings', 'lock', 'authSteps');

export function SettingsRoute() {
  const { t } = useTranslation('settings');
  const controller = useSessionController();
  const status = useSyncStatus();
  const download = useCallback<AccountCalls['exportMe']>(
    async (onProgress, signal) => (await controller.reach()).exportMe(onProgress, signal),
    [controller],
  );
  const remove = useCallback(
    async (password: string) => {
      const refusal = await endAccount(controller, password);
      if (!refusal) toast({ title: t('remove.done') });
      return refusal;
    },
    [controller, t],
  );
  const account = (
    <AccountSection
      profileLink={<ProfileLink />}
      download={download}
      remove={remove}
      pendingCount={(status?.pendingItems ?? 0) + (status?.pendingFiles ?? 0)}
    />
  );
  return (
    <SettingsScreen
      title={useModuleLabel('user-preferences')}
      channels={<ChannelsLink />}
      texts={<TextMessages flows={controller.flows} />}
      account={
        <>
          <AppLockCard />
          {account}
        </>
      }
    />
  );
}

function ProfileLink() {
  const { t } = useTranslation('settings');
  return (
    <Link to="/profile" className={rowClass}>
      <RowFace start={<OwnPicture />} title={t('account.profile')} detail={t('account.profileText')} />
    </Link>
  );
}

/** Which message comes by which way is the notification centre's to ask. */
function ChannelsLink() {
  const { t } = useTranslation('settings');
  return (
    <Link to="/notifications" search={{ view: 'settings' }} className={rowClass}>
      <RowFace title={t('messages.channels')} detail={t('messages.channelsText')} />
    </Link>
  );
}
