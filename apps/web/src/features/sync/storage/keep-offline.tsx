import { useEffect, useRef } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import type { LargeFile } from '@cairn/sync/files/held-files.ts';
import type { OfflineFiles, OfflineState } from '@cairn/sync/pull/offline-files.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';
import { useOfflineFiles, usePlaybookFiles } from './use-offline-files.ts';

/** The next of what is wanted and not here; what is gone for this person is passed over. */
type NextFile = (passed: ReadonlySet<string>) => LargeFile | undefined;

/** ms; a line that broke off is tried again after so long, for nothing says that it is there again. */
const AGAIN_AFTER = 60_000;

/** One after the other; what finds no room or no line ends it. @returns whether it may go on by itself a little later */
async function keepAll(offlineFiles: OfflineFiles, next: NextFile, signal: AbortSignal): Promise<boolean> {
  const passed = new Set<string>();
  for (let file = next(passed); file && !signal.aborted; file = next(passed)) {
    if (!(await offlineFiles.mayFetch())) return false;
    // The screen hears of it a moment later.
    passed.add(file.id);
    try {
      await offlineFiles.keep(file, signal);
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof Failure)) throw error;
      if (error.code !== 'not_found') return error.code === 'offline';
    }
  }
  return false;
}

/** Fetches what belongs to the playbooks that were made available offline. Shows nothing. */
export function KeepOffline() {
  const state = useOfflineFiles();
  return state && state.wanted.size > 0 ? <OfflineControls state={state} /> : null;
}

function OfflineControls({ state: { wanted, here, waits } }: { state: OfflineState }) {
  const { offlineFiles } = useSignedIn().engine;
  const isOnline = useSyncStatus()?.online ?? false;
  const playbooks = usePlaybookFiles() ?? [];
  const files = playbooks.filter(({ id }) => wanted.has(id)).flatMap(each => each.files);
  const missing = files.filter(({ id }) => !here.has(id));
  // What is on its way goes on when another photo arrives: a file begun anew each time would never end.
  const latest = useRef(missing);
  useEffect(() => {
    latest.current = missing;
  });
  const isMissing = missing.length > 0;
  // The same playbooks are the same wish, whatever set they came in.
  const wish = [...wanted].toSorted().join(' ');
  useEffect(() => {
    if (!isOnline || !isMissing || waits !== null) return undefined;
    const left = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    const next: NextFile = passed => latest.current.find(({ id }) => !passed.has(id));
    const fetchAll = async (): Promise<void> => {
      const goesOn = await keepAll(offlineFiles, next, left.signal);
      if (goesOn && !left.signal.aborted) again = setTimeout(() => void fetchAll(), AGAIN_AFTER);
    };
    void fetchAll();
    return () => {
      left.abort();
      clearTimeout(again);
    };
  }, [offlineFiles, wish, isMissing, isOnline, waits]);
  return null;
}
