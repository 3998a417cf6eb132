import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { AuthRefused, type AuthFlows } from '../../shared/auth/auth-flows.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { useSecurity } from './security-context.ts';

/** @returns false when the session is too old: a code is on its way that shows again who is here */
async function change(flows: AuthFlows, password: string, code: string | null): Promise<boolean> {
  try {
    await flows.setPassword(password, code ?? undefined);
    return true;
  } catch (error) {
    if (!(error instanceof AuthRefused) || error.refusal.kind !== 'reauthenticate') throw error;
    await flows.reauthenticate();
    return false;
  }
}

/** A new password; whoever has been signed in for long shows first that it is them. */
export function PasswordCard() {
  const { t } = useTranslation('security');
  const { t: tAuth } = useTranslation('authSteps');
  const { flows, email } = useSecurity();
  const [password, setPassword] = useState('');
  /** null until a code is asked for. */
  const [code, setCode] = useState<string | null>(null);
  const { run, busy, refusal, refuse } = useAuthCall();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code !== null && code.trim() === '') return refuse({ kind: 'no_code' });
    run(async () => {
      if (!(await change(await flows(), password, code))) return setCode('');
      setPassword('');
      setCode(null);
      toast({ title: t('password.done') });
    });
  };
  return (
    <Card label={t('password.title')} className="security-card">
      <h2 className="h2">{t('password.title')}</h2>
      <p className="muted sm">
        {t('password.text')} {t('password.notes')}
      </p>
      <form className="stack" noValidate onSubmit={submit}>
        <RefusalBanner title={t('failed')} refusal={refusal} />
        {/* So that a password keeper knows whose it is. */}
        <input
          className="sr"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordInput
          label={t('password.new')}
          hint={t('password.hint')}
          autoComplete="new-password"
          showLabel={tAuth('showPassword')}
          hideLabel={tAuth('hidePassword')}
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
        {code !== null && (
          <Input
            label={t('password.code')}
            hint={`${tAuth('refused.reauthenticate')} ${t('password.codeSent', { email })}`}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={event => setCode(event.target.value)}
          />
        )}
        <div className="row">
          <Button type="submit" busy={busy} disabled={password === ''}>
            {t('password.submit')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
