import { useState } from 'react';
import { useLetter } from './account-steps.ts';
import { EmailField } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';

type Props = {
  email: string;
  submit: string;
  failed: string;
  send: (email: string) => Promise<void>;
  onSent: (email: string) => void;
};

/** Asks for the address a letter goes to. */
export function AskLetterForm({ email: known, submit, failed, send, onSent }: Props) {
  const [email, setEmail] = useState(known);
  const { ask, busy, refusal } = useLetter({ send, onSent });
  return (
    <StepForm onSubmit={() => void ask(email)} submit={submit} busy={busy} failed={failed} refusal={refusal}>
      <EmailField value={email} onChange={setEmail} />
    </StepForm>
  );
}
