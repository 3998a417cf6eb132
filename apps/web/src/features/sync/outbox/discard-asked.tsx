import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '@cairn/base/failure.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';

type Props = {
  /** How many things go. */
  count: number;
  name: string;
  title: string;
  discarding: { run: () => void; busy: boolean; failure: Failure | null };
  /** It is on its way now; a question that stands open already stays. */
  isOnItsWay?: boolean;
  /** What is lost. */
  children: ReactNode;
};

/** Throws away only after a question that says what is lost. */
export function DiscardAsked({ count, name, title, discarding, isOnItsWay = false, children }: Props) {
  const { t } = useTranslation('sync');
  const [asking, setAsking] = useState(false);
  const act = t(count > 1 ? 'failed.discardAll' : 'failed.discard');
  return (
    <>
      {!isOnItsWay && (
        <Button
          size="sm"
          variant="plain"
          aria-label={t('named', { act, name })}
          busy={discarding.busy}
          onClick={() => setAsking(true)}
        >
          {act}
        </Button>
      )}
      <FailureLine failure={discarding.failure} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={title}
        confirmLabel={t('discard.yes')}
        cancelLabel={t('discard.keep')}
        onConfirm={() => discarding.run()}
        danger
      >
        <div className="stack">{children}</div>
      </Confirm>
    </>
  );
}
