import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { useTranslation } from 'react-i18next';
import { AuditScreen } from '../../features/audit/audit-screen.tsx';
import { SecurityScreen } from '../../features/security/security-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { returnAddress } from '../session/auth/return-address.ts';
import { useSessionController } from '../session/session-context.tsx';
import { signOutEverywhere } from '../session/sign-out-everywhere.ts';
import { useLeaveQuestion } from '../shell/leave/use-leave-question.tsx';

export const texts = loadTexts('security', 'authSteps', 'audit');

export function SecurityRoute() {
  const controller = useSessionController();
  const { user } = useSignedIn();
  const { ask, question } = useLeaveQuestion();
  const parts = useMemo(
    () => ({
      flows: controller.flows,
      email: user.email,
      async signOutEverywhere() {
        const leaving = await ask();
        if (leaving) await signOutEverywhere(controller, leaving.words);
        return leaving !== null;
      },
      returnTo: returnAddress('/security'),
    }),
    [controller, ask, user.email],
  );
  return (
    <>
      <SecurityScreen
        parts={parts}
        renderChangeLink={words => (
          <Link to="/settings" className={buttonClass({ variant: 'plain' })}>
            {words}
          </Link>
        )}
        renderAuditLink={words => (
          <Link to="/security/audit" className={buttonClass()}>
            {words}
          </Link>
        )}
      />
      {question}
    </>
  );
}

export function AuditRoute() {
  const { t } = useTranslation('audit');
  return (
    <AuditScreen
      backLink={
        <Link to="/security" className="link tap back-link">
          {t('back')}
        </Link>
      }
    />
  );
}
