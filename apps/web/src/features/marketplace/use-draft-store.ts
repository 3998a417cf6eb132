import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { joined, NO_IDS, type OwnIds } from '@cairn/core/marketplace/pack-writing.ts';
import type { PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import { packMaterial } from '@cairn/core/marketplace/pack-update.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { openDraftStore, type DraftStore, type Wires } from './draft-store.ts';
import { faultOf, type PackDraft, type ServerDraft } from './pack-draft.ts';

/**
 * Opens where a draft is written, once.
 *
 * @param there the draft on the server; null: none is open
 * @param isFresh false while the server is asked how it stands
 * @returns `desk` undefined until the device has said what it has
 */
export function useOpenDraftStore(packId: string, there: ServerDraft | null, isFresh: boolean) {
  const { unfinished } = useSignedIn().engine;
  const organizationId = useSpace().organization.id;
  const [opened, setOpened] = useState<{ store: DraftStore | null } | null>(null);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;
  const open = useEffectEvent(() => openDraftStore(unfinished, { organizationId, packId }, there));
  useEffect(() => {
    if (!isFresh || opened) return undefined;
    let left = false;
    open().then(
      store => left || setOpened({ store }),
      (error: unknown) => left || setBug({ error }),
    );
    return () => {
      left = true;
    };
  }, [isFresh, opened, unfinished, organizationId, packId]);
  return { store: opened?.store, reopen: () => setOpened(null) };
}

/** Ids of every record of the organisation, as far as they are on this device. */
export function useOwnIds(): OwnIds {
  const live = useLive(packMaterial(useSpace().organization.id));
  return live.status === 'ready' ? live.answer.own : NO_IDS;
}

/** What stands on a desk, and how it is changed. @param wires null where the server takes nothing of it at present */
export function useDraftStore(store: DraftStore, wires: Wires | null) {
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  const own = useOwnIds();
  useEffect(() => store.wire(wires));
  const isKept = state.draft === state.saved;
  // What only waits is safe on the device; what is on its way is asked about.
  useLeaveWarning(!isKept && (wires !== null || !state.isOnDevice));
  return {
    ...state,
    isKept,
    fault: faultOf(state.draft),
    change: (part: Partial<PackDraft>) => store.change(before => ({ ...before, ...part })),
    /** Adds to the contents as they stand by then: the documents come from the server while one types on. */
    add: (added: PackContents) =>
      store.change(before => ({ ...before, contents: joined(before.contents, added, own) })),
  };
}

/** The browser asks before it closes a page with words that are nowhere else. */
function useLeaveWarning(isUnkept: boolean): void {
  useEffect(() => {
    if (!isUnkept) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnkept]);
}
