import { createContext, useContext, useEffect, useState } from 'react';
import type { Store } from '@cairn/sync/store.ts';
import { watchTogether } from '@cairn/sync/use-live.ts';
import { mediaRow } from './media-row.ts';
import { useSignedIn } from '../session/session.ts';

export type Picture = { status: 'loading' } | { status: 'ready'; url: string } | { status: 'elsewhere' };

/** Files that are only held in memory while a form is tried out, by the id they are shown under. */
export const HeldFiles = createContext<ReadonlyMap<string, Blob>>(new Map());

const LOADING: Picture = { status: 'loading' };

/** Tells when the server has come to have a file that whoever captured it had yet to send. */
function onPictureReceived(store: Store, mediaId: string, tell: () => void): () => void {
  let isAwaited = false;
  return watchTogether(store, mediaRow(mediaId), seen => {
    if ('error' in seen || !seen.answer) return;
    if (isAwaited && seen.answer.state === 'complete') tell();
    isAwaited = seen.answer.state === 'pending';
  });
}

/** A file as something an `<img>` can show: from the device's own bytes, else fetched once it can be, and kept. */
export function usePicture(mediaId: string | null): Picture {
  const { engine } = useSignedIn();
  const held = useContext(HeldFiles).get(mediaId ?? '');
  const [shown, setShown] = useState<{ mediaId: string | null; picture: Picture }>({ mediaId, picture: LOADING });
  useEffect(() => {
    if (mediaId === null) return undefined;
    const place = openPlace(picture => setShown({ mediaId, picture }));
    const load = () => place.show(() => (held ? Promise.resolve(held) : engine.file(mediaId)));
    load();
    const stopWaiting = onPictureReceived(engine.store, mediaId, load);
    globalThis.addEventListener('online', load);
    return () => {
      globalThis.removeEventListener('online', load);
      stopWaiting();
      place.leave();
    };
  }, [engine, mediaId, held]);
  // What was shown of another file says nothing of this one.
  return shown.mediaId === mediaId ? shown.picture : LOADING;
}

/** Holds the address of one file for as long as it is shown; asked again, it tries again until it has one. */
function openPlace(tell: (picture: Picture) => void) {
  let url: string | null = null;
  let left = false;
  const show = (file: ArrayBuffer | Blob) => {
    if (left || url !== null) return;
    url = URL.createObjectURL(file instanceof Blob ? file : new Blob([file]));
    tell({ status: 'ready', url });
  };
  // Not on this device and no way to fetch it now: the frame says so, until the file or the signal is there.
  const fail = () => left || url !== null || tell({ status: 'elsewhere' });
  return {
    show: (read: () => Promise<ArrayBuffer | Blob>) => void (url ?? read().then(show, fail)),
    leave() {
      left = true;
      if (url !== null) URL.revokeObjectURL(url);
    },
  };
}
