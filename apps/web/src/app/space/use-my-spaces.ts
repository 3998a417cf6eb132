import { useEffect, useState } from 'react';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../shared/session.ts';
import { mySpaces, type MySpaces } from './my-spaces.ts';

/** The person's organisations and playbooks; null until first read. A `refresh-playbooks` event reads again (R4.25). */
export function useMySpaces(): MySpaces | null {
  const { user, engine } = useSignedIn();
  const [reload, setReload] = useState(0);
  const [last, setLast] = useState<{ userId: string; spaces: MySpaces } | null>(null);
  const live = useLive(mySpaces(user.id, reload));

  useEffect(() => {
    const refresh = () => {
      engine.syncNow();
      setReload(count => count + 1);
    };
    addEventListener('refresh-playbooks', refresh);
    return () => removeEventListener('refresh-playbooks', refresh);
  }, [engine]);

  const ready = live.status === 'ready' ? live.answer : null;
  if (ready && last?.spaces !== ready) setLast({ userId: user.id, spaces: ready });

  // While a new read runs the last answer stands: the screen must not blink.
  return ready ?? (last?.userId === user.id ? last.spaces : null);
}
