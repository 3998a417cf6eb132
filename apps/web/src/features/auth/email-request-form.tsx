import { useState } from 'react';
import { useEmailRequest } from './account-steps.ts';
import { EmailField, PhoneField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';

type Props = {
  email: string;
  /** Asks for a number instead: a text message goes there. */
  isPhone?: boolean;
  submit: string;
  failed: string;
  send: (email: string) => Promise<void>;
  onSent: (email: string) => void;
};

/** Asks for the address a letter goes to. */
export function EmailRequestForm({ email: known, isPhone = false, submit, failed, send, onSent }: Props) {
  const [email, setEmail] = useState(known);
  const { ask, busy, refusal } = useEmailRequest({ send, onSent, isPhone });
  return (
    <StepForm onSubmit={() => void ask(email)} submit={submit} busy={busy} failed={failed} refusal={refusal}>
      {isPhone ? <PhoneField value={email} onChange={setEmail} /> : <EmailField value={email} onChange={setEmail} />}
    </StepForm>
  );
}
