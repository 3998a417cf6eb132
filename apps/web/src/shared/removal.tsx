import { useState } from 'react';
import { Button } from '@cairn/ui/button.tsx';
import { Confirm } from '@cairn/ui/confirm.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { FailureLine } from './failure-line.tsx';
import { useAction } from './use-action.ts';

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
