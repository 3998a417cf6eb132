import { createContext, useContext, useEffect, useState } from 'react';
import { useSignedIn } from './session.ts';

export type Picture = { status: 'loading' } | { status: 'ready'; url: string } | { status: 'elsewhere' };

/** Files that are only held in memory while a form is tried out, by the id they are shown under. */
export const HeldFiles = createContext<ReadonlyMap<string, Blob>>(new Map());

const LOADING: Picture = { status: 'loading' };

/** A file as something an `<img>` can show: from the device's own bytes, else fetched once and kept. */
export function usePicture(mediaId: string | null): Picture {
  const { engine } = useSignedIn();
  const held = useContext(HeldFiles).get(mediaId ?? '');
  const [shown, setShown] = useState<{ mediaId: string | null; picture: Picture }>({ mediaId, picture: LOADING });
  useEffect(() => {
    const setPicture = (picture: Picture) => setShown({ mediaId, picture });
    if (mediaId === null) return undefined;
    let url: string | null = null;
    let left = false;
    const show = (file: ArrayBuffer | Blob) => {
      if (left) return;
      url = URL.createObjectURL(file instanceof Blob ? file : new Blob([file]));
      setPicture({ status: 'ready', url });
    };
    // Not on this device and no way to fetch it now: the frame says so, the next visit tries again.
    (held ? Promise.resolve(held) : engine.file(mediaId)).then(show, () => left || setPicture({ status: 'elsewhere' }));
    return () => {
      left = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [engine, mediaId, held]);
  // What was shown of another file says nothing of this one.
  return shown.mediaId === mediaId ? shown.picture : LOADING;
}
