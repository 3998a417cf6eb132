import { useCallback } from 'react';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { ServerCalls } from '../server/server-calls.ts';
import { useSignedIn } from '../session/session.ts';

/** `act`, after `send` has sent what waits on this device. Both are to stay the same from one drawing to the next. */
export function useWhenSent<Args extends unknown[], A>(
  send: (engine: SyncEngine) => Promise<void>,
  act: (calls: ServerCalls, ...args: Args) => Promise<A>,
) {
  const { engine } = useSignedIn();
  return useCallback(
    async (calls: ServerCalls, ...args: Args): Promise<A> => {
      await send(engine);
      return act(calls, ...args);
    },
    [act, engine, send],
  );
}
