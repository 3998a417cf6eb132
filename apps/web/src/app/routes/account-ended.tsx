import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountEnded } from '../../features/sync/rescue/account-ended.tsx';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSessionController } from '../session/session-context.tsx';
import type { SessionState } from '../session/device/session-state.ts';
import { workText } from '../shell/sync-state/sync-text.ts';

export const texts = loadTexts('rescue', 'sync');

type EndedState = Extract<SessionState, { status: 'account_ended' }>;

/** In place of the sign-in form. */
export function AccountEndedPage({ user, pending }: Pick<EndedState, 'user' | 'pending'>) {
  const { t } = useTranslation('rescue');
  const { t: tSync } = useTranslation('sync');
  const controller = useSessionController();
  const by = useMemo(
    () => ({ email: user.email, rescue: controller.opened().rescueOf(user.id) }),
    [controller, user.email, user.id],
  );
  return (
    <AuthFrame title={t('ended.title')} subtitle={t('ended.text', { email: user.email })}>
      <AccountEnded
        pendingText={pending && workText(pending.records, pending.files, tSync)}
        by={by}
        onForget={() => controller.accountEnds.forget(user)}
      />
    </AuthFrame>
  );
}
