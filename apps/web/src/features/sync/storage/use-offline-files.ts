import { useEffect, useState } from 'react';
import { playbookFiles, type PlaybookFiles } from '@cairn/core/offline/playbook-files.ts';
import type { OfflineState } from '@cairn/sync/pull/offline-files.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../../shared/session/session.ts';

/** What is wanted on this device and what of it is here; null for the moment before that is known. */
export function useOfflineFiles(): OfflineState | null {
  const { offlineFiles } = useSignedIn().engine;
  const [state, setState] = useState<OfflineState | null>(null);
  useEffect(() => offlineFiles.watch(setState), [offlineFiles]);
  return state;
}

/** The files of each playbook, as far as this device knows of them; null for the moment before that is known. */
export function usePlaybookFiles(): readonly PlaybookFiles[] | null {
  const live = useLive(playbookFiles);
  return live.status === 'ready' ? live.answer : null;
}
