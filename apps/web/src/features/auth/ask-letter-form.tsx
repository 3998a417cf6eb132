import { useState } from 'react';
import { useAuthCall } from '../../shared/use-auth-call.ts';
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
  const { run, busy, refusal, refuse } = useAuthCall();
  const ask = () => {
    const address = email.trim().toLowerCase();
    if (!/^\S+@\S+$/.test(address)) return refuse({ kind: 'bad_email' });
    run(async () => {
      await send(address);
      onSent(address);
    });
  };
  return (
    <StepForm onSubmit={ask} submit={submit} busy={busy} failed={failed} refusal={refusal}>
      <EmailField value={email} onChange={setEmail} />
    </StepForm>
  );
}
