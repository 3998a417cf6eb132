import { useEffect, useState } from 'react';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { useSignedIn } from '../session/session.ts';

/** Where the words of a record are: on this device only (to be sent by itself, or refused), or with the server. */
export type SendState = 'waits' | 'refused' | 'received';

/** The one answer to that, out of what the outbox holds; whatever says "kept on this device" asks it. */
export function sendStateOf(outbox: readonly OutboxItem[], table: TableName, recordId: string): SendState {
  const own = outbox.filter(item => item.kind === 'record' && item.table === table && item.recordId === recordId);
  if (own.length === 0) return 'received';
  return own.some(({ state }) => state === 'failed') ? 'refused' : 'waits';
}

/** Where the words of a record are, moving by itself; null until the outbox was read. */
export function useSendState(table: TableName, recordId: string): SendState | null {
  const { engine } = useSignedIn();
  const [state, setState] = useState<SendState | null>(null);
  useEffect(
    () => engine.watchOutbox(outbox => setState(sendStateOf(outbox, table, recordId))),
    [engine, table, recordId],
  );
  return state;
}
