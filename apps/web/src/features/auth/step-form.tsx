import { useEffect, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { AuthRefusal } from '../../shared/auth/auth-flows.ts';
import { RefusalBanner, refusalText } from '../../shared/auth/refusal-banner.tsx';

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

/** Fields, what went wrong with them (said once as a toast, and standing above the fields), one act. */
export function StepForm({ onSubmit, submit, submitting, busy, failed, refusal, children }: Props) {
  const { t } = useTranslation('authSteps');
  useEffect(() => {
    if (refusal) toast({ title: failed, description: refusalText(refusal, t), tone: 'bad', passing: true });
  }, [refusal, failed, t]);
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
