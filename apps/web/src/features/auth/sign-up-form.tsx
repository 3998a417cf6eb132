import { useState } from 'react';
import i18n from 'i18next';
import { useTranslation } from 'react-i18next';
import { Input } from '@cairn/ui/field.tsx';
import { useAuthCall } from '../../shared/use-auth-call.ts';
import { EmailField, NewPasswordField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';

/** @param onLetter the address has to be confirmed: a letter is on its way */
export function SignUpForm({ flows, returnTo, email: known, onArrival, onLetter }: StepProps & SignUpProps) {
  const { t } = useTranslation('authSteps');
  const [fullName, setFullName] = useState('');
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const { run, busy, refusal, refuse } = useAuthCall();
  const submit = () => {
    if (email.trim() === '' || password === '') return refuse({ kind: 'missing' });
    run(async () => {
      const language = i18n.language;
      const arrival = await (await flows()).signUp({ fullName, email, password, language, returnTo });
      if (arrival) await onArrival(arrival);
      else onLetter(email.trim().toLowerCase());
    });
  };
  return (
    <StepForm
      onSubmit={submit}
      submit={t('signUp.submit')}
      submitting={t('signUp.submitting')}
      busy={busy}
      failed={t('signUp.failed')}
      refusal={refusal}
    >
      <Input
        label={t('signUp.name')}
        name="name"
        autoComplete="name"
        value={fullName}
        onChange={event => setFullName(event.target.value)}
      />
      <EmailField value={email} onChange={setEmail} />
      <NewPasswordField label={t('password')} value={password} onChange={setPassword} />
    </StepForm>
  );
}

type SignUpProps = { onLetter: (email: string) => void };
