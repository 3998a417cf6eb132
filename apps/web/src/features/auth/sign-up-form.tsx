import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useSignUp } from './account-steps.ts';
import { EmailField, NewPasswordField, PhoneField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';

/** @param onLetter the address has to be confirmed: a letter is on its way */
export function SignUpForm({ email: known, ...steps }: StepProps & SignUpProps) {
  const { t } = useTranslation('authSteps');
  const [fullName, setFullName] = useState('');
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const { signUp, busy, refusal } = useSignUp(steps);
  return (
    <StepForm
      onSubmit={() => void signUp({ fullName, email, password })}
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
      {steps.isPhone ? (
        <PhoneField value={email} onChange={setEmail} />
      ) : (
        <EmailField value={email} onChange={setEmail} />
      )}
      <NewPasswordField label={t('password')} value={password} onChange={setPassword} />
    </StepForm>
  );
}

type SignUpProps = {
  onEmailSent: (email: string) => void;
  /** Asks for a phone number instead of an address. */
  isPhone?: boolean;
};
