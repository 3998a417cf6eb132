import { useEffect } from 'react';
import { useRouter } from '@tanstack/react-router';
import { useSignedIn } from '../../shared/session/session.ts';

/** A record that is shown and gets another id (decision 04) stays on the screen: its address becomes the new one. */
export function useRenamedAddress(): void {
  const { engine } = useSignedIn();
  const { history } = useRouter();
  useEffect(
    () =>
      engine.watchRenamed(ids => {
        const { href } = history.location;
        const next = [...ids].reduce((text, [old, fresh]) => text.replaceAll(old, fresh), href);
        if (next !== href) history.replace(next);
      }),
    [engine, history],
  );
}
