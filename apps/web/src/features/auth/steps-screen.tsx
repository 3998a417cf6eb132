import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { AuthResult, ReachAuth } from '../../shared/auth/auth-flows.ts';
import { EmailRequestForm } from './email-request-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CodeForm } from './code-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { PhoneSteps, type SignInByPhone } from './phone-steps.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import type { StepProps } from './step-props.ts';

export const STEPS = ['sign-up', 'confirm', 'code', 'recover', 'second-step', 'phone'] as const;
export type Step = (typeof STEPS)[number];

type Props = {
  step: Step;
  flows: ReachAuth;
  returnTo: string;
  email: string;
  establish: (result: AuthResult) => Promise<void>;
  signInByPhone: SignInByPhone;
  /** The way back to the sign-in page. */
  back: ReactNode;
};

/** What is still owed by somebody the server let in. */
type PendingStep = { result: AuthResult; step: 'second' | 'password'; recovery: boolean };

/** Every way in beyond e-mail and password: the question asked, then what the server still wants. */
export function StepsScreen({ step, establish, signInByPhone, back, ...rest }: Props) {
  const [owed, setOwed] = useState<PendingStep | null>(null);
  const onSignedIn = async (result: AuthResult, recovery = owed?.recovery ?? false) => {
    if (result.secondStep) setOwed({ result, step: 'second', recovery });
    else if (recovery) setOwed({ result, step: 'password', recovery });
    else await establish(result);
  };
  const { flows } = rest;
  if (owed?.step === 'password') return <NewPasswordForm flows={flows} onDone={() => establish(owed.result)} />;
  if (owed || step === 'second-step') return <SecondStepForm flows={flows} onSignedIn={onSignedIn} />;
  if (step === 'phone') return <PhoneSteps {...rest} signIn={signInByPhone} back={back} onSignedIn={onSignedIn} />;
  return <Asked key={step} step={step} back={back} {...rest} onSignedIn={onSignedIn} />;
}

type AskedProps = StepProps & { step: Exclude<Step, 'second-step' | 'phone'>; back: ReactNode };

function Asked({ step, back, ...props }: AskedProps) {
  const { t } = useTranslation('authSteps');
  const [sentTo, setSentTo] = useState<string | null>(step === 'confirm' ? '' : null);
  if (sentTo !== null) return <Sent {...props} step={step} email={sentTo} back={back} />;
  if (step === 'sign-up' || step === 'confirm')
    return (
      <AuthFrame title={t('signUp.title')} subtitle={t('signUp.subtitle')}>
        <SignUpForm {...props} onEmailSent={setSentTo} />
        <div className="foot">
          <span>{t('signUp.have')}</span>
          {back}
          <Button variant="plain" size="sm" onClick={() => setSentTo('')}>
            {t('signUp.haveCode')}
          </Button>
        </div>
      </AuthFrame>
    );
  const words = step === 'code' ? 'otp' : 'recover';
  const send = async (email: string) => {
    const ways = await props.flows();
    await (step === 'code' ? ways.sendCode(email, props.returnTo) : ways.recover(email, props.returnTo));
  };
  return (
    <AuthFrame title={t(`${words}.title`)} subtitle={t(`${words}.subtitle`)}>
      <EmailRequestForm
        email={props.email}
        submit={t(`${words}.send`)}
        failed={t(`${words}.failed`)}
        send={send}
        onSent={setSentTo}
      />
      <div className="foot">{back}</div>
    </AuthFrame>
  );
}

/** The letter is on its way: its code is asked for. */
function Sent({ step, back, ...props }: AskedProps) {
  const { t } = useTranslation('authSteps');
  const { email, flows, returnTo } = props;
  // In braces: newer browsers answer scrollTo with a promise, which React would call as a clean-up.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const isSignUp = step === 'sign-up' || step === 'confirm';
  const words = isSignUp ? 'confirm' : step === 'code' ? 'otp' : 'recover';
  const subtitle = isSignUp
    ? t(email === '' ? 'confirm.subtitleCode' : 'confirm.subtitle', { email })
    : t('otp.sent', { email });
  const resend = async (address: string) => {
    const ways = await flows();
    if (isSignUp) await ways.resend('signup', address, returnTo);
    else await (step === 'code' ? ways.sendCode(address, returnTo) : ways.recover(address, returnTo));
  };
  return (
    <AuthFrame title={t(`${words}.title`)} subtitle={subtitle}>
      <CodeForm
        {...props}
        kind={step === 'recover' ? 'recovery' : 'email'}
        submit={t(`${words}.submit`)}
        failed={t(`${words}.failed`)}
        resend={resend}
      />
      {isSignUp && <p className="foot">{t('confirm.exists')}</p>}
      <div className="foot">{back}</div>
    </AuthFrame>
  );
}
