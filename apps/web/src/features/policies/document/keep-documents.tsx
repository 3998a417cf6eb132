import { useEffect } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { filesInForce, type FileInForce } from '@cairn/core/offline/files-to-keep.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';

/** One after the other; what breaks off goes on from there with the next signal, what finds no room is fetched when it is opened. */
async function keepAll(
  { largeFiles: kept }: SyncEngine,
  files: readonly FileInForce[],
  signal: AbortSignal,
): Promise<void> {
  const held = await kept.held();
  for (const { id, bytes: size, organizationId } of files) {
    if (signal.aborted) return;
    const here = held.get(id);
    if (here && here.have === size) continue;
    try {
      await kept.keep({ id, organizationId, size }, () => {}, signal);
    } catch (error) {
      if (!(error instanceof Failure) && !signal.aborted) throw error;
    }
  }
}

/** What draws these files is asked for while there is signal: without it a file that is here would stay closed. */
async function readersHere(): Promise<void> {
  await Promise.all([import('./pdf-view.tsx'), import('./word-view.tsx')]);
}

/** Fetches the files of policies in force, so that they open without signal. Shows nothing. */
export function KeepDocuments() {
  const { engine } = useSignedIn();
  const isOnline = useSyncStatus()?.online ?? false;
  const live = useLive(filesInForce);
  const files = live.status === 'ready' ? live.answer : null;
  useEffect(() => {
    if (!files || files.length === 0 || !isOnline) return undefined;
    const left = new AbortController();
    void readersHere().catch(() => undefined);
    void keepAll(engine, files, left.signal);
    return () => left.abort();
  }, [engine, files, isOnline]);
  return null;
}
