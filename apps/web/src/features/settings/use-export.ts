import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';

type Progress = { done: number; size: number };

export type ExportWays = {
  /** Fetches everything about the person; `onProgress` in bytes. Rejects with a Failure when it did not arrive whole. */
  download: (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Blob>;
};

/** Hands the whole archive to the browser's downloads; half of one is never saved. */
function save(archive: Blob): void {
  const url = URL.createObjectURL(archive);
  const link = document.createElement('a');
  link.href = url;
  link.download = `cairn-export-${new Date().toISOString().slice(0, 10)}.zip`;
  link.click();
  // The browser has taken the bytes over by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

type State = { status: 'idle' } | { status: 'busy'; progress: Progress } | { status: 'failed' };

/** An export with progress and a way to stop it; leaving the screen stops it too. */
export function useExport({ download }: ExportWays) {
  const { t } = useTranslation('settings');
  const [state, setState] = useState<State>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback(() => {
    const controller = new AbortController();
    running.current = controller;
    setState({ status: 'busy', progress: { done: 0, size: 0 } });
    download(progress => setState({ status: 'busy', progress }), controller.signal).then(
      archive => {
        save(archive);
        setState({ status: 'idle' });
        toast({ title: t('account.exported') });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return setState({ status: 'idle' });
        setState({ status: 'failed' });
        if (!(error instanceof Failure)) globalThis.reportError(error);
      },
    );
  }, [download, t]);

  return {
    busy: state.status === 'busy',
    failed: state.status === 'failed',
    progress: state.status === 'busy' ? state.progress : { done: 0, size: 0 },
    start,
    cancel: () => running.current?.abort(),
  };
}
