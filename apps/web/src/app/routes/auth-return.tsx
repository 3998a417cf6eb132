import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { linkClass } from '@cairn/ui/controls/text-link.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { readReturn } from '../../features/auth/address-return.ts';
import { ReturnScreen } from '../../features/auth/return-screen.tsx';
import type { AuthResult } from '../../shared/auth/auth-flows.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { pendingLink, pendingLinkCount, forgetPendingLink, onPendingLink } from '../session/auth/pending-link.ts';
import { useSession, useSessionController } from '../session/session-context.tsx';
import { LockedOutside } from '../shell/locked-outside.tsx';
import { NavigationOutside } from '../shell/navigation/navigation-outside.tsx';
import { useLeaveQuestion } from '../shell/leave/use-leave-question.tsx';

export const texts = loadTexts('authSteps', 'auth');

/** Where links of letters and sign-in services lead back to; one that is opened in a page that shows another begins anew. */
export function AuthReturnRoute() {
  const count = useSyncExternalStore(onPendingLink, pendingLinkCount);
  return (
    <LockedOutside>
      <LinkReturn key={count} />
    </LockedOutside>
  );
}

function LinkReturn() {
  const { t } = useTranslation('authSteps');
  const controller = useSessionController();
  const session = useSession();
  const navigate = useNavigate();
  const { from } = useSearch({ from: '/auth/return' });
  const [returned] = useState(() => {
    const { search, hash } = pendingLink() ?? { search: '', hash: '' };
    return readReturn(search, hash);
  });
  useEffect(forgetPendingLink, []);
  const { ask, question } = useLeaveQuestion();
  const leave = useCallback(async () => {
    const leaving = await ask();
    if (leaving) await controller.signOut(leaving.words);
    return leaving !== null;
  }, [ask, controller]);
  const establish = useCallback(
    async (result: AuthResult) => {
      await controller.establishSession(result);
      toast({ title: t('signedIn') });
      // An address to go on to is checked by the route of the sign-in.
      await navigate(
        from === undefined ? { to: '/', replace: true } : { to: '/auth', search: { from }, replace: true },
      );
    },
    [controller, navigate, from, t],
  );
  const isIn = session.status === 'signed_in';
  return (
    <>
      {question}
      <ReturnScreen
        returned={returned}
        flows={controller.flows}
        signedIn={isIn ? session.user : null}
        establish={establish}
        leave={leave}
        stay={() => void navigate({ to: isIn ? '/dashboard' : '/auth', replace: true })}
        onwards={
          <Link to={isIn ? '/security' : '/auth'} className={buttonClass({ variant: 'quiet', block: true })}>
            {t(isIn ? 'returned.go' : 'back')}
          </Link>
        }
        again={
          isIn ? null : (
            <p className="foot">
              <Link to="/auth/$step" params={{ step: 'recover' }} className={linkClass}>
                {t('returned.again')}
              </Link>
            </p>
          )
        }
      />
      <NavigationOutside />
    </>
  );
}
