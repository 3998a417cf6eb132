import { useEffect, useState } from 'react';
import type { TableName } from '@cairn/schema';
import { useSignedIn } from '../session/session.ts';

type PendingIds = { waits: ReadonlySet<string>; refused: ReadonlySet<string> };

/** Rows of a table that the server has not taken: `waits` will be sent by themselves, `refused` need a look. */
export function usePendingRows(table: TableName): PendingIds {
  const { engine } = useSignedIn();
  const [pending, setPending] = useState<PendingIds>({ waits: new Set(), refused: new Set() });
  useEffect(
    () =>
      engine.watchOutbox(items => {
        const own = items.filter(item => item.table === table && item.kind === 'record');
        const ids = (isRefused: boolean) =>
          new Set(own.filter(({ state }) => (state === 'failed') === isRefused).map(({ recordId }) => recordId));
        setPending({ waits: ids(false), refused: ids(true) });
      }),
    [engine, table],
  );
  return pending;
}
