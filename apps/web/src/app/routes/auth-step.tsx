import { useCallback } from 'react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { linkClass } from '@cairn/ui/controls/text-link.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { STEPS, StepsScreen } from '../../features/auth/steps-screen.tsx';
import type { AuthResult } from '../../shared/auth/auth-flows.ts';
import { loginFailureText } from '../session/auth/login-failure.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { returnAddress } from '../session/auth/return-address.ts';
import { useSession, useSessionController } from '../session/session-context.tsx';

export const texts = loadTexts('authSteps', 'auth');

/** `/auth/<step>`; once somebody is in, the router leads them on (see `authStepRoute`). */
export function AuthStepRoute() {
  const { t } = useTranslation('authSteps');
  const controller = useSessionController();
  const session = useSession();
  const navigate = useNavigate();
  const { step } = useParams({ from: '/auth/$step' });
  const search = useSearch({ from: '/auth/$step' });
  const establish = useCallback(
    async (result: AuthResult) => {
      await controller.establishSession(result);
      toast({ title: t('signedIn') });
      await navigate(onwards(search));
    },
    [controller, navigate, search, t],
  );
  const signInByPhone = useSignInByPhone();
  const known = STEPS.find(each => each === step) ?? 'sign-up';
  return (
    <StepsScreen
      key={known}
      step={known}
      flows={controller.flows}
      returnTo={returnAddress(search.from)}
      email={(session.status === 'signed_out' && session.email) || ''}
      establish={establish}
      signInByPhone={signInByPhone}
      back={
        <Link to="/auth" search={search} className={linkClass}>
          {t('back')}
        </Link>
      }
    />
  );
}

/** Where somebody who has just come in goes on to; an address they wanted is checked by the route of the sign-in. */
const onwards = (search: { from?: string }) =>
  search.from === undefined ? ({ to: '/', replace: true } as const) : ({ to: '/auth', search, replace: true } as const);

/** As the form of the sign-in page does it, by number. */
function useSignInByPhone() {
  const { t } = useTranslation('auth');
  const { t: tSteps } = useTranslation('authSteps');
  const controller = useSessionController();
  const navigate = useNavigate();
  const search = useSearch({ from: '/auth/$step' });
  return useCallback(
    async (phone: string, password: string): Promise<string | null> => {
      const failure = await controller.signIn(phone, password);
      if (failure?.kind === 'second_step') {
        await navigate({ to: '/auth/$step', params: { step: 'second-step' }, search });
        return null;
      }
      // The sentence of the other form asks for an e-mail, which this one has not.
      const text = failure?.kind === 'missing' ? tSteps('refused.missing') : failure && loginFailureText(failure, t);
      if (text === null) toast({ title: t('succeeded') });
      else toast({ title: t('failedTitle'), description: text, tone: 'bad' });
      if (text === null) await navigate(onwards(search));
      return text;
    },
    [controller, navigate, search, t, tSteps],
  );
}
