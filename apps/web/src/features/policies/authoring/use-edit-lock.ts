import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { isEditable, type PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../../shared/server/server-calls.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useNow } from '../../../shared/format/use-now.ts';

/** How often whoever writes says that they still do, and for how long the server believes it; ms. */
const EVERY = 240_000;
const LASTS = 600_000;

/** `mine`; `held` by somebody else; `unknown` where the server cannot be asked. */
export type EditLock = { status: 'mine' | 'held' | 'unknown'; takeOver: () => void };

const hold = (calls: ServerCalls, versionId: string, takesOver: boolean): Promise<unknown> =>
  calls.call('hold_policy_edit_lock', { p_version: versionId, p_take_over: takesOver });

/** Says on the server that this person writes now, and whether somebody else does. */
export function useEditLock(version: PolicyVersion): EditLock {
  const { userId } = useSpace();
  const calls = useServerCalls();
  const now = useNow();
  const [isReached, setReached] = useState(true);
  const [crash, setCrash] = useState<{ error: unknown } | null>(null);
  const { id, editing_by: holder, editing_since: since, state } = version;
  // What was not sent yet nobody else can have open.
  const isSent = version.version > 0;
  const isOpen = isEditable(state) && isSent;
  const isHeld = holder !== null && holder !== userId && since !== null && now.getTime() - Date.parse(since) < LASTS;

  const ask = useCallback(
    (takesOver: boolean) => {
      hold(calls, id, takesOver).then(
        () => setReached(true),
        (error: unknown) => {
          // Sent for approval meanwhile: nobody writes it any more.
          if (error instanceof ServerRefusal) setReached(true);
          else if (error instanceof Failure) setReached(false);
          else setCrash({ error });
        },
      );
    },
    [calls, id],
  );
  useEffect(() => {
    if (!isOpen || isHeld) return undefined;
    ask(false);
    const timer = setInterval(() => ask(false), EVERY);
    return () => clearInterval(timer);
  }, [ask, isOpen, isHeld]);
  useDropping(calls, id, isSent);
  if (crash) throw crash.error;
  return { status: statusOf(isHeld, isReached), takeOver: () => ask(true) };
}

/** Lays the pen down on leaving; whoever cannot say so keeps it for some minutes more. */
function useDropping(calls: ServerCalls, id: string, isSent: boolean): void {
  useEffect(() => {
    if (!isSent) return undefined;
    return () => void calls.call('release_policy_edit_lock', { p_version: id }).catch(() => undefined);
  }, [calls, id, isSent]);
}

function statusOf(isHeld: boolean, isReached: boolean): EditLock['status'] {
  if (isHeld) return 'held';
  return isReached ? 'mine' : 'unknown';
}
