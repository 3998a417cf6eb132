import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { writePolicy } from '@cairn/core/policies/write-policy.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';

type Props = { onClose: () => void; onBegun: (policyId: string) => void };

/** A title is enough to begin. */
export function NewPolicySheet({ onClose, onBegun }: Props) {
  const { t } = useTranslation('policies');
  const { organization, userId, world } = useSpace();
  const store = useStore();
  const [title, setTitle] = useState('');
  const [tried, setTried] = useState(false);
  const beginning = useAction(async () => {
    const id = newId();
    const whole = { id, organizationId: organization.id, title, code: '', summary: '', body: '', by: userId } as const;
    await store.write(
      'policies.write',
      tx => writePolicy(tx, { ...whole, classification: 'internal', reviewMonths: 12, source: 'written' }),
      { together: true },
    );
    onBegun(id);
  });
  const lacks = title.trim() === '';
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t(`making.title.${world}`)} closeLabel={t('close')}>
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (!lacks) beginning.run();
        }}
      >
        <Input
          label={t('making.field')}
          value={title}
          maxLength={200}
          error={tried && lacks ? t('making.fieldNeeded') : undefined}
          onChange={event => setTitle(event.target.value)}
        />
        <FailureLine failure={beginning.failure} />
        <Button type="submit" variant="primary" busy={beginning.busy}>
          {t('making.act')}
        </Button>
      </form>
    </Sheet>
  );
}
