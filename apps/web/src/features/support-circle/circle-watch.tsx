import { useEffect } from 'react';
import { circle } from '@cairn/core/support-circle/queries.ts';
import { sharedViewOf, stillShared } from '@cairn/core/support-circle/shared-view.ts';
import type { SharedCopies } from '@cairn/sync/files/shared-copies.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../shared/session/session.ts';

/**
 * Takes out of the device's copies what is granted no longer, as soon as the device hears of it, whatever screen is open.
 * Shows nothing itself; mount it once. @param copies the same function on every render
 */
export function CircleWatch({ copies }: { copies: () => Promise<SharedCopies> }) {
  const { user } = useSignedIn();
  const found = useLive(circle(user.id));
  const helped = found.status === 'ready' ? found.answer.helped : null;
  useEffect(() => {
    if (!helped) return;
    const tidy = async () => {
      const kept = await copies();
      for (const name of await kept.names()) {
        const entry = helped.find(({ relationship }) => relationship.id === name);
        const view = entry && sharedViewOf(await kept.get(name));
        const left = view && stillShared(view, entry, Date.now());
        if (!left || left.parts.length === 0) await kept.drop(name);
        else if (left.parts.length < view.parts.length) await kept.keep(name, left);
      }
    };
    tidy().catch(reportError);
  }, [helped, copies]);
  return null;
}
