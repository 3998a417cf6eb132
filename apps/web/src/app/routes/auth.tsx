import { lazy, Suspense, useCallback } from 'react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { getFixedT } from 'i18next';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { SignInScreen } from '../../features/auth/sign-in-screen.tsx';
import { useSession, useSessionController } from '../session/session-context.tsx';
import auth from '../../shared/i18n/en/auth.json';
import { addTexts } from '../../shared/i18n/start-i18n.ts';

addTexts('auth', auth);

/** The other ways in arrive after the form, with their words. */
const AuthExtras = lazy(async () => {
  const { AuthExtras, texts } = await import('./auth-extras.tsx');
  await texts;
  return { default: AuthExtras };
});

/** Only for whoever deleted their account on another device. */
const AccountEnded = lazy(async () => {
  const { AccountEndedPage, texts } = await import('./account-ended.tsx');
  await texts;
  return { default: AccountEndedPage };
});

export function AuthRoute() {
  const session = useSession();
  if (session.status !== 'account_ended') return <SignInRoute />;
  return (
    <Suspense fallback={null}>
      <AccountEnded user={session.user} pending={session.pending} />
    </Suspense>
  );
}

function SignInRoute() {
  const { t: words } = useTranslation('auth');
  const controller = useSessionController();
  const session = useSession();
  const navigate = useNavigate();
  const search = useSearch({ from: '/auth' });
  const signedOut = session.status === 'signed_out' ? session : null;

  const signIn = useCallback(
    async (email: string, password: string): Promise<string | null> => {
      const t = getFixedT(null, 'auth');
      const failure = await controller.signIn(email, password);
      if (failure?.kind === 'second_step') {
        await navigate({ to: '/auth/$step', params: { step: 'second-step' }, search });
        return null;
      }
      if (!failure) {
        toast({ title: t('succeeded') });
        return null;
      }
      const text =
        failure.kind === 'other'
          ? (await import('../session/auth/login-failure.ts')).loginFailureText(failure, t)
          : t(`failed.${failure.kind}`);
      toast({ title: t('failedTitle'), description: text, tone: 'bad' });
      return text;
    },
    [controller, navigate, search],
  );

  const forgot = (
    <Link to="/auth/$step" params={{ step: 'recover' }} search={search} className="link">
      {words('forgot')}
    </Link>
  );
  return (
    <SignInScreen email={signedOut?.email ?? ''} ended={signedOut?.reason ?? null} signIn={signIn} forgot={forgot}>
      <div className="others">
        <Suspense fallback={null}>
          <AuthExtras from={search.from} />
        </Suspense>
      </div>
    </SignInScreen>
  );
}
