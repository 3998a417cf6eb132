import i18n from 'i18next';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ReachAuth } from '../../shared/auth/auth-flows.ts';
import { phoneIn } from '../../shared/input/phone-number.ts';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import type { StepProps } from './step-props.ts';

/** What a person types to get an account. */
type SignUpFields = { fullName: string; email: string; password: string };

type SignUp = Pick<StepProps, 'flows' | 'returnTo' | 'onSignedIn'> & {
  /** The address has to be confirmed: a letter is on its way. */
  onEmailSent: (email: string) => void;
  /** What is typed as `email` is a phone number. */
  isPhone?: boolean;
};

/** Makes an account: true once the server has it, false when it was refused or there was no network (R5.10). */
export function useSignUp({ flows, returnTo, onSignedIn, onEmailSent, isPhone = false }: SignUp) {
  const { tried, busy, refusal, refuse } = useAuthCall();
  const signUp = async ({ fullName, email, password }: SignUpFields): Promise<boolean> => {
    if (email.trim() === '' || password === '') {
      refuse({ kind: 'missing' });
      return false;
    }
    const address = isPhone ? phoneIn(email) : email.trim().toLowerCase();
    if (address === null) {
      refuse({ kind: 'bad_phone' });
      return false;
    }
    return tried(async () => {
      const language = i18n.language;
      const result = await (await flows()).signUp({ fullName, email: address, password, language, returnTo });
      if (result) await onSignedIn(result);
      else onEmailSent(address);
    });
  };
  return { signUp, busy, refusal };
}

type EmailRequest = { send: (email: string) => Promise<void>; onSent: (email: string) => void; isPhone?: boolean };

/** Asks for a letter (a reset of the password, a code): true once it is on its way, false otherwise (R5.11). */
export function useEmailRequest({ send, onSent, isPhone = false }: EmailRequest) {
  const { tried, busy, refusal, refuse } = useAuthCall();
  const ask = async (email: string): Promise<boolean> => {
    const address = isPhone ? phoneIn(email) : email.trim().toLowerCase();
    if (address === null || (!isPhone && !/^\S+@\S+$/.test(address))) {
      refuse({ kind: isPhone ? 'bad_phone' : 'bad_email' });
      return false;
    }
    return tried(async () => {
      await send(address);
      onSent(address);
    });
  };
  return { ask, busy, refusal };
}

/** Replaces a forgotten password: true once the new one holds, false otherwise (R5.11). */
export function useNewPassword({ flows, onDone }: { flows: ReachAuth; onDone: () => Promise<void> }) {
  const { t } = useTranslation('authSteps');
  const { tried, busy, refusal } = useAuthCall();
  const update = (password: string): Promise<boolean> =>
    tried(async () => {
      await (await flows()).setPassword(password);
      toast({ title: t('renew.done') });
      await onDone();
    });
  return { update, busy, refusal };
}
