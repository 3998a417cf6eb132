import { useEffect, useState } from 'react';
import type { PolicyFile } from '@cairn/core/policies/policy-file.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { fileBytes } from '../../../shared/files/file-bytes.ts';
import { sha256Hex } from '../../../shared/media/picture-facts.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';

/** `elsewhere`: not on this device, and no way to fetch it now. `altered`: what is here is not what was published. */
export type OpenedDocument = { status: 'loading' | 'elsewhere' | 'altered' } | { status: 'ready'; bytes: ArrayBuffer };

async function opened(engine: SyncEngine, file: PolicyFile): Promise<OpenedDocument> {
  const bytes = await fileBytes(engine, file).catch(() => null);
  if (!bytes) return { status: 'elsewhere' };
  return (await sha256Hex(bytes)) === file.sha256 ? { status: 'ready', bytes } : { status: 'altered' };
}

const LOADING: OpenedDocument = { status: 'loading' };

/** The file of a version, once its bytes are here and are the very ones that the version names. Asked again with signal. */
export function useDocument(file: PolicyFile): OpenedDocument {
  const { engine } = useSignedIn();
  const isOnline = useSyncStatus()?.online ?? false;
  const [found, setFound] = useState<{ id: string; document: OpenedDocument }>({ id: file.id, document: LOADING });
  const isReady = found.id === file.id && found.document.status === 'ready';
  const { id, bytes, sha256, mime, name, pages } = file;
  useEffect(() => {
    if (isReady) return undefined;
    let left = false;
    void opened(engine, { id, bytes, sha256, mime, name, pages }).then(document => left || setFound({ id, document }));
    return () => {
      left = true;
    };
  }, [engine, isReady, isOnline, id, bytes, sha256, mime, name, pages]);
  return found.id === file.id ? found.document : LOADING;
}
