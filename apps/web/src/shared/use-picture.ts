import { useEffect, useState } from 'react';
import { useSignedIn } from './session.ts';

export type Picture = { status: 'loading' } | { status: 'ready'; url: string } | { status: 'elsewhere' };

/** A file as something an `<img>` can show: from the device's own bytes, else fetched once and kept. */
export function usePicture(mediaId: string | null): Picture {
  const { engine } = useSignedIn();
  const [seen, setSeen] = useState<{ of: string; picture: Picture } | null>(null);
  useEffect(() => {
    if (mediaId === null) return undefined;
    let url: string | null = null;
    let left = false;
    const show = (bytes: ArrayBuffer) => {
      if (left) return;
      url = URL.createObjectURL(new Blob([bytes]));
      setSeen({ of: mediaId, picture: { status: 'ready', url } });
    };
    // Not on this device and no way to fetch it now: the frame says so, the next visit tries again.
    engine.file(mediaId).then(show, () => left || setSeen({ of: mediaId, picture: { status: 'elsewhere' } }));
    return () => {
      left = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [engine, mediaId]);
  return seen && seen.of === mediaId ? seen.picture : { status: 'loading' };
}
