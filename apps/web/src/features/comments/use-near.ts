import { useEffect, useRef, useState } from 'react';
import type { Subject } from '@cairn/core/comments/subject.ts';
import { useNearServer, type PresenceChannel, type NearPerson } from '../../shared/server/near-server.ts';

/** ms after the last letter somebody still counts as writing. */
const WRITES_FOR_MS = 4000;

const NOBODY: readonly NearPerson[] = [];

/**
 * Who else has this record open, while this screen is in front; `type` says that something is being written.
 *
 * @param userId whoever looks
 */
export function useNear({ table, id }: Subject, userId: string) {
  const server = useNearServer();
  const near = useRef<PresenceChannel | null>(null);
  const [people, setPeople] = useState(NOBODY);
  useEffect(() => {
    if (!server) return undefined;
    const leave = () => {
      near.current?.leave();
      near.current = null;
      setPeople(NOBODY);
    };
    const look = () => {
      leave();
      if (document.visibilityState === 'visible') near.current = server.join({ table, id }, userId, setPeople);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      leave();
    };
  }, [server, table, id, userId]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const say = (writes: boolean) => {
    clearTimeout(timer.current);
    near.current?.say(writes);
    if (writes) timer.current = setTimeout(() => near.current?.say(false), WRITES_FOR_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { people, say };
}
