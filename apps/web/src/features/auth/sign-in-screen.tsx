import { useState, type FormEvent, type ReactNode } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { AuthFrame } from './auth-frame.tsx';

type Props = {
  /** Who was here last, to save typing. */
  email: string;
  /** Why nobody is signed in: an end that was not chosen here is told, and that nothing is lost. */
  ended: string | null;
  /** @returns what went wrong in words, or null */
  signIn: (email: string, password: string) => Promise<string | null>;
  /** Beside the password's label. */
  forgot: ReactNode;
  /** Under the form: the other ways in. */
  children: ReactNode;
};

export function SignInScreen({ email: lastEmail, ended, signIn, forgot, children }: Props) {
  const { t } = useTranslation('auth');
  const [email, setEmail] = useState(lastEmail);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const text = await signIn(email, password);
    setProblem(text);
    setBusy(false);
  };

  return (
    <AuthFrame title={t('title')} subtitle={t('subtitle')}>
      {/* Our own messages stand in place of the browser's bubbles. */}
      <form noValidate onSubmit={event => void submit(event)}>
        {ended === 'deleted' && !problem && (
          <Banner tone="accent" title={t('deleted')}>
            {t('deletedDetail')}
          </Banner>
        )}
        {(ended === 'refused' || ended === 'elsewhere') && !problem && (
          <Banner tone="accent" title={t(ended === 'refused' ? 'expired' : 'elsewhere')}>
            {t('expiredDetail')}
          </Banner>
        )}
        {problem && <Banner tone="bad" title={problem} />}
        <div className="fields">
          <Input
            label={t('email')}
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="email"
            required
            value={email}
            onChange={event => setEmail(event.target.value)}
          />
          <PasswordInput value={password} onChange={setPassword} forgot={forgot} />
        </div>
        <Button type="submit" variant="primary" size="lg" block busy={busy} busyText={t('submitting')}>
          {t('submit')}
        </Button>
      </form>
      {children}
    </AuthFrame>
  );
}

type PasswordProps = { value: string; onChange: (value: string) => void; forgot: ReactNode };

function PasswordInput({ value, onChange, forgot }: PasswordProps) {
  const { t } = useTranslation('auth');
  const [shown, setShown] = useState(false);
  return (
    <Input
      label={t('password')}
      aside={forgot}
      type={shown ? 'text' : 'password'}
      name="password"
      autoComplete="current-password"
      required
      value={value}
      onChange={event => onChange(event.target.value)}
      end={
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={t(shown ? 'hidePassword' : 'showPassword')}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
