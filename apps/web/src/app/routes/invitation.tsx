import { useCallback, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { JoinScreen } from '../../features/auth/join-screen.tsx';
import type { JoinResult } from '../../shared/auth/auth-flows.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { agreeToLink, forgetAgreedLink, hasAgreedToLink } from '../session/auth/agreed-link.ts';
import { useSession, useSessionController } from '../session/session-context.tsx';
import { RememberedSpace } from '../space/remembered-space.ts';
import { pendingWork } from '../session/pending-work.ts';
import { LockedOutside } from '../shell/locked-outside.tsx';
import { NavigationOutside } from '../shell/navigation/navigation-outside.tsx';
import { useLeaveQuestion } from '../shell/leave/use-leave-question.tsx';

export const texts = loadTexts('authSteps', 'auth');

/** `/invitation?invitation_token=…` or `?partner_link_token=…`: what it is, then joining, then `/welcome` without it; the audit room for an auditor. */
export function InvitationRoute() {
  return (
    <LockedOutside>
      <Invitation />
    </LockedOutside>
  );
}

function Invitation() {
  const { t } = useTranslation('authSteps');
  const controller = useSessionController();
  const session = useSession();
  const navigate = useNavigate();
  const search = new URLSearchParams(useOwnSearch());
  const invitation = search.get('invitation_token');
  const token = invitation ?? search.get('partner_link_token') ?? '';
  const kind = invitation === null ? 'partner' : 'invitation';
  const from = `/invitation?${new URLSearchParams({ [`${kind === 'partner' ? 'partner_link' : kind}_token`]: token }).toString()}`;
  const isIn = session.status === 'signed_in';
  const { ask, question } = useLeaveQuestion();
  const pendingCount = usePendingCount(isIn ? session.user.id : null);
  const onJoined = useCallback(
    async ({ organizationId, organization, role }: JoinResult) => {
      forgetAgreedLink();
      // Where they work from now on; the membership itself comes with the pull.
      await new RememberedSpace(controller.opened().settings).choose({ organizationId, playbookId: null });
      const state = controller.snapshot();
      if (state.status === 'signed_in') state.engine.syncNow();
      toast({ title: t('join.done', { organization }) });
      // Whoever audits has nothing to set up.
      await navigate({ to: role === 'auditor' ? '/policies/findings' : '/welcome', replace: true });
    },
    [controller, navigate, t],
  );
  const switchAccount = useCallback(async () => {
    const leaving = await ask();
    if (!leaving) return;
    agreeToLink(token);
    await controller.signOut(leaving.words);
    await navigate({ to: '/auth', search: { from }, replace: true });
  }, [ask, controller, navigate, from, token]);
  const agree = () => agreeToLink(token);
  return (
    <>
      {question}
      <JoinScreen
        kind={kind}
        token={token}
        flows={controller.flows}
        signedIn={isIn ? session.user : null}
        hasAgreed={hasAgreedToLink(token)}
        pendingCount={pendingCount}
        onJoined={onJoined}
        switchAccount={switchAccount}
        signUpLink={
          <Link
            to="/auth/$step"
            params={{ step: 'sign-up' }}
            search={{ from }}
            onClick={agree}
            className={buttonClass({ variant: 'primary', size: 'lg', block: true })}
          >
            {t('join.signUp')}
          </Link>
        }
        signInLink={
          <Link to="/auth" search={{ from }} onClick={agree} className={buttonClass({ block: true })}>
            {t('join.signIn')}
          </Link>
        }
        renderStartLink={words => (
          <Link to="/" className={buttonClass({ variant: 'plain', block: true })}>
            {words}
          </Link>
        )}
      />
      <NavigationOutside />
    </>
  );
}

/**
 * What stands behind `?` in the address of this screen, as written: the router would read a token of digits as a number. The
 * last of it stays while the next screen arrives, or the server would be asked about no token.
 */
function useOwnSearch(): string {
  const present = useLocation({ select: ({ pathname, searchStr }) => (pathname === '/invitation' ? searchStr : null) });
  const [last, setLast] = useState(present ?? '');
  if (present !== null && present !== last) setLast(present);
  return present ?? last;
}

/** How many things of this person the server does not have yet. */
function usePendingCount(userId: string | null): number {
  const controller = useSessionController();
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (userId !== null) void pendingWork(controller).then(({ records, files }) => setCount(records + files));
  }, [controller, userId]);
  return count;
}
