import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { phoneIn } from '../../shared/input/phone-number.ts';
import { EmailRequestForm } from './email-request-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CodeForm } from './code-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { PhoneField } from './step-fields.tsx';
import type { StepProps } from './step-props.ts';

/** Signs in by number and password. @returns what went wrong in words, or null */
export type SignInByPhone = (phone: string, password: string) => Promise<string | null>;

type Props = StepProps & { signIn: SignInByPhone; back: ReactNode };
type Way = 'password' | 'code' | 'sign-up';

/** The ways in by phone number: with a password, with a code, and with a new account. */
export function PhoneSteps({ signIn, back, ...props }: Props) {
  const { t } = useTranslation('authSteps');
  const [way, setWay] = useState<Way>('password');
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) return <Texted {...props} email={sentTo} isNew={way === 'sign-up'} back={back} />;
  const { flows, returnTo } = props;
  const other = (to: Way, words: string) => (
    <Button variant="plain" size="sm" onClick={() => setWay(to)}>
      {words}
    </Button>
  );
  if (way === 'sign-up')
    return (
      <AuthFrame title={t('signUp.title')} subtitle={t('phone.newSubtitle')}>
        <SignUpForm {...props} email="" isPhone onEmailSent={setSentTo} />
        <div className="foot">{back}</div>
      </AuthFrame>
    );
  if (way === 'code')
    return (
      <AuthFrame title={t('phone.codeTitle')} subtitle={t('phone.codeSubtitle')}>
        <EmailRequestForm
          isPhone
          email=""
          submit={t('otp.send')}
          failed={t('phone.failed')}
          send={async phone => (await flows()).sendCode(phone, returnTo)}
          onSent={setSentTo}
        />
        <div className="foot">{back}</div>
      </AuthFrame>
    );
  return (
    <AuthFrame title={t('phone.title')} subtitle={t('phone.subtitle')}>
      <ByPassword signIn={signIn} />
      <div className="foot">
        {other('code', t('phone.byCode'))}
        {other('sign-up', t('phone.new'))}
        {back}
      </div>
    </AuthFrame>
  );
}

function ByPassword({ signIn }: { signIn: SignInByPhone }) {
  const { t } = useTranslation('authSteps');
  const [phone, setPhone] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const known = phoneIn(phone);
    if (phone.trim() !== '' && known === null) return setProblem(t('refused.bad_phone'));
    setBusy(true);
    setProblem(await signIn(known ?? '', password));
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={event => void submit(event)}>
      {problem && <Banner tone="bad" title={problem} />}
      <div className="fields">
        <PhoneField value={phone} onChange={setPhone} />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          showLabel={t('showPassword')}
          hideLabel={t('hidePassword')}
          required
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
      </div>
      <Button type="submit" variant="primary" size="lg" block busy={busy}>
        {t('phone.submit')}
      </Button>
    </form>
  );
}

type TextedProps = StepProps & { isNew: boolean; back: ReactNode };

/** The text message is on its way: its code is asked for. */
function Texted({ isNew, back, ...props }: TextedProps) {
  const { t } = useTranslation('authSteps');
  const { email, flows, returnTo } = props;
  const resend = async (phone: string) => {
    const ways = await flows();
    await (isNew ? ways.resend('signup', phone, returnTo) : ways.sendCode(phone, returnTo));
  };
  return (
    <AuthFrame
      title={t(isNew ? 'phone.confirmTitle' : 'phone.codeTitle')}
      subtitle={t(isNew ? 'phone.confirmSubtitle' : 'otp.sent', { email })}
    >
      <CodeForm
        {...props}
        kind="email"
        submit={t(isNew ? 'confirm.submit' : 'otp.submit')}
        failed={t(isNew ? 'confirm.failed' : 'phone.failed')}
        resend={resend}
      />
      {isNew && <p className="foot">{t('phone.exists')}</p>}
      <div className="foot">{back}</div>
    </AuthFrame>
  );
}
