import { useCallback } from 'react';
import type { TableName } from '@cairn/schema';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { sendStateOf } from './send-state.ts';
import { useSignedIn } from '../session/session.ts';

type Words = { waits: string; received: string };

/**
 * Says of a record that was just saved that it is kept on this device, for as long as that is so: once the server has it the toast
 * says that instead. One that was refused has a page of its own and no toast.
 */
export function useSavedToast(table: TableName) {
  const { engine } = useSignedIn();
  return useCallback(
    (recordId: string, words: Words) => {
      let stop = () => {};
      let isOver = false;
      const end = () => {
        isOver = true;
        stop();
      };
      const id = `kept ${recordId}`;
      stop = engine.watchOutbox(outbox => {
        const state = sendStateOf(outbox, table, recordId);
        if (isOver || state === 'refused') return;
        if (state === 'waits') return toast({ id, title: words.waits, onGone: end });
        toast({ id, title: words.received });
        end();
      });
      // The first word may come before there is anything to stop.
      if (isOver) stop();
    },
    [engine, table],
  );
}
