import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountEnded } from '../../features/sync/rescue/account-ended.tsx';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSessionController } from '../session/session-context.tsx';
import type { SessionState } from '../session/device/session-state.ts';
import { workWords } from '../shell/sync-state/sync-words.ts';

export const texts = loadTexts('rescue', 'sync');

type EndedState = Extract<SessionState, { status: 'account_ended' }>;

/** In place of the sign-in form. */
export function AccountEndedPage({ user, unsent }: Pick<EndedState, 'user' | 'unsent'>) {
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
        unsent={unsent && workWords(unsent.records, unsent.files, tSync)}
        by={by}
        onForget={() => controller.accountEnds.forget(user)}
      />
    </AuthFrame>
  );
}
