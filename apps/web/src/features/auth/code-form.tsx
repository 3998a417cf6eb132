import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { CodeField, EmailField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';

/** A letter a minute, as the server allows. */
const WAIT_S = 60;

type Props = StepProps & {
  kind: 'email' | 'recovery';
  /** The words of the act and of its failure. */
  submit: string;
  failed: string;
  /** Asks for the same letter again. */
  resend: (email: string) => Promise<void>;
};

/** The code of a letter, and the same letter again. */
export function CodeForm({ flows, email: known, onSignedIn, kind, submit, failed, resend }: Props) {
  const { t } = useTranslation('authSteps');
  const [email, setEmail] = useState(known);
  const [code, setCode] = useState('');
  const isPhone = known.startsWith('+');
  const { run, busy, refusal, refuse } = useAuthCall();
  const check = () => {
    if (email.trim() === '' || code.trim() === '') return refuse({ kind: 'no_code' });
    run(async () => {
      const result = await (await flows()).checkCode(kind, email, code);
      if (result) await onSignedIn(result, kind === 'recovery');
    });
  };
  return (
    <>
      <StepForm onSubmit={check} submit={submit} busy={busy} failed={failed} refusal={refusal}>
        {known === '' && <EmailField value={email} onChange={setEmail} />}
        <CodeField
          label={t(isPhone ? 'phone.code' : 'code')}
          hint={t(isPhone ? 'phone.codeHint' : 'codeHint')}
          value={code}
          onChange={setCode}
        />
      </StepForm>
      {(isPhone || email.includes('@')) && (
        <Resend email={email} resend={resend} failed={failed} wait={known === '' ? 0 : WAIT_S} />
      )}
    </>
  );
}

/** `wait`: seconds since the letter was asked for must have passed; none for an address that was typed in here. */
type ResendProps = Pick<Props, 'resend' | 'failed'> & { email: string; wait: number };

function Resend({ email, resend, failed, wait }: ResendProps) {
  const { t } = useTranslation('authSteps');
  const [seconds, setSeconds] = useState(wait);
  const { run, busy, refusal } = useAuthCall();
  useEffect(() => {
    const tick = setTimeout(() => setSeconds(Math.max(0, seconds - 1)), 1000);
    return () => clearTimeout(tick);
  }, [seconds]);
  const again = () =>
    run(async () => {
      await resend(email);
      setSeconds(WAIT_S);
      toast({ title: t('confirm.resent', { email }) });
    });
  return (
    <div className="foot">
      {refusal && (
        <p className="err">{`${failed}: ${t(refusal.kind === 'network' ? 'refused.network' : 'refused.too_many')}`}</p>
      )}
      {seconds > 0 ? (
        <p>{t('confirm.wait', { seconds })}</p>
      ) : (
        <Button variant="plain" busy={busy} onClick={again}>
          {t('confirm.resend')}
        </Button>
      )}
    </div>
  );
}
