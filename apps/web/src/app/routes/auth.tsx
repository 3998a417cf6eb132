import { getFixedT } from 'i18next';
import { toast } from '@cairn/ui/toast.ts';
import { SignInScreen } from '../../features/auth/sign-in-screen.tsx';
import { loginFailureText } from '../session/login-failure.ts';
import { useSession, useSessionController } from '../session/session-context.tsx';
import { auth } from '../../shared/i18n/en/auth.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';

addTexts('auth', auth);

export function AuthRoute() {
  const controller = useSessionController();
  const session = useSession();
  const signedOut = session.status === 'signed_out' ? session : null;

  const signIn = async (email: string, password: string): Promise<string | null> => {
    const t = getFixedT(null, 'auth');
    const failure = await controller.signIn(email, password);
    if (!failure) {
      toast({ title: t('succeeded') });
      return null;
    }
    const text = loginFailureText(failure, t);
    toast({ title: t('failedTitle'), description: text, tone: 'bad' });
    return text;
  };

  return <SignInScreen email={signedOut?.email ?? ''} expired={signedOut?.reason === 'refused'} signIn={signIn} />;
}
