import { useState } from 'react';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../errors/failure-line.tsx';
import { useAction } from '../errors/use-action.ts';

type Props = {
  words: Record<'act' | 'title' | 'text' | 'cancel' | 'done', string>;
  remove: () => Promise<unknown>;
  onRemoved: () => void;
};

/** A quiet button that removes a record, asked for first and said afterwards. */
export function Removal({ words, remove, onRemoved }: Props) {
  const [asking, setAsking] = useState(false);
  const removing = useAction(async () => {
    await remove();
    toast({ title: words.done });
    onRemoved();
  });
  return (
    <>
      <Button variant="plain" busy={removing.busy} onClick={() => setAsking(true)}>
        {words.act}
      </Button>
      <FailureLine failure={removing.failure} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={words.title}
        confirmLabel={words.act}
        cancelLabel={words.cancel}
        onConfirm={() => removing.run()}
        danger
      >
        {words.text}
      </Confirm>
    </>
  );
}
