import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import { noteRead } from '@cairn/core/support-circle/grants.ts';
import { circlePage, type CirclePage } from '@cairn/core/support-circle/queries.ts';
import { sharedViewOf, stillShared, type SharedView } from '@cairn/core/support-circle/shared-view.ts';
import type { SharedCopies } from '@cairn/sync/files/shared-copies.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import type { Store } from '@cairn/sync/store.ts';
import { loggedRead } from '../../shared/server/logged-read.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useNow } from '../../shared/format/use-now.ts';

export type SharedState = {
  status: 'loading' | 'ready' | 'none';
  /** What is still granted; null before anything was read. */
  view: SharedView | null;
  /** It is the copy of this device: the server could not be asked. */
  isCopy: boolean;
  refresh: () => void;
};

/** ms between two readings while the screen is open. */
const AGAIN_AFTER = 5 * 60_000;

type SharedRead = { view: SharedView | null; isCopy: boolean };
/** `at`: when it was read, ms since 1970. */
type Answer = SharedRead & { at: number };
type ShareContext = { id: string; calls: ServerCalls; store: Store; kept: SharedCopies };

/** Writes down that the copy was looked at; it is told to the subject with the next contact. */
async function noteCopy({ id, store }: ShareContext, view: SharedView): Promise<void> {
  const page = await store.read(circlePage(id));
  if (!page) return;
  const at = new Date().toISOString();
  const { parts } = stillShared(view, page, Date.now());
  await store.write('support-circle.noteRead', async tx => {
    for (const part of parts) await noteRead(tx, { id: newId(), grantId: part.grant_id, helperId: store.owner, at });
  });
}

/** From the server, which writes the reading down; where it cannot be asked, the copy of this device. */
async function readShared(place: ShareContext): Promise<SharedRead> {
  const { id, calls, kept } = place;
  try {
    // Asked without a network, the browser would complain; the copy is what there is.
    if (!navigator.onLine) throw new Failure('offline', 'read_circle: no network');
    const view = sharedViewOf(await loggedRead(calls, 'read_circle', { p_relationship: id }));
    if (!view) throw new Failure('offline', 'read_circle: an answer of another version');
    await kept.keep(id, view);
    return { view, isCopy: false };
  } catch (error) {
    if (error instanceof ServerRefusal) {
      await kept.drop(id);
      return { view: null, isCopy: false };
    }
    if (!(error instanceof Failure)) throw error;
    const view = sharedViewOf(await kept.get(id));
    if (view) await noteCopy(place, view);
    return { view, isCopy: true };
  }
}

/** What somebody lets the signed-in person see. What was taken back is left out, of an older copy too. */
export function useSharedView(page: CirclePage, copies: () => Promise<SharedCopies>): SharedState {
  const calls = useServerCalls();
  const store = useStore();
  const [read, setRead] = useState<Answer | null>(null);
  const now = useNow().getTime();
  const { id, state } = page.relationship;
  const refresh = useCallback(() => {
    copies()
      .then(kept => readShared({ id, calls, store, kept }))
      .then(answer => setRead({ ...answer, at: Date.now() }), reportError);
  }, [calls, copies, id, store]);
  // Asked anew when the person changed what may be seen: a new grant shows without a press.
  const granted = `${state} ${page.grants.map(grant => grant.id).join()}`;
  useEffect(() => {
    refresh();
    const timer = setInterval(refresh, AGAIN_AFTER);
    window.addEventListener('online', refresh);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', refresh);
    };
  }, [refresh, granted]);
  // What was granted within this minute was read after it had begun.
  const view = read?.view ? stillShared(read.view, page, Math.max(now, read.at)) : null;
  const status = read === null ? 'loading' : view ? 'ready' : 'none';
  return { status, view, isCopy: read?.isCopy ?? false, refresh };
}
