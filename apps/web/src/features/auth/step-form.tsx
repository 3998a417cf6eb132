import type { FormEvent, ReactNode } from 'react';
import { Button } from '@cairn/ui/button.tsx';
import type { AuthRefusal } from '../../shared/auth-flows.ts';
import { RefusalBanner } from '../../shared/refusal-banner.tsx';

type Props = {
  onSubmit: () => void;
  /** The act by its name, and its name while it is under way. */
  submit: string;
  submitting?: string;
  busy: boolean;
  /** Title over a refusal: "<what was tried> Failed". */
  failed: string;
  refusal: AuthRefusal | null;
  children: ReactNode;
};

/** Fields, what went wrong with them, one act. */
export function StepForm({ onSubmit, submit, submitting, busy, failed, refusal, children }: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <form noValidate onSubmit={send}>
      <RefusalBanner title={failed} refusal={refusal} />
      <div className="fields">{children}</div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        busy={busy}
        {...(submitting !== undefined && { busyText: submitting })}
      >
        {submit}
      </Button>
    </form>
  );
}
