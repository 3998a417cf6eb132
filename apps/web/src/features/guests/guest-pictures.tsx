import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { BEGINNING_BYTES, pictureTypeOf } from '@cairn/base/file-beginning.ts';
import type { GuestTask } from '@cairn/core/guests/guest-reply.ts';
import { Bone } from '@cairn/ui/feedback/skeleton.tsx';
import type { OutsideCalls } from '../../shared/server/send-stored.ts';

type Props = { token: string; photos: GuestTask['photos']; calls: () => Promise<OutsideCalls> };

/** The photos that belong to the action item. */
export function GuestPictures({ token, photos, calls }: Props) {
  const { t } = useTranslation('guest');
  return (
    <ul className="guest-pictures" aria-label={t('photos')}>
      {photos.map(({ id }, index) => (
        <li key={id}>
          <Picture token={token} id={id} calls={calls} label={t('photo', { number: index + 1 })} />
        </li>
      ))}
    </ul>
  );
}

type OneProps = { token: string; id: string; calls: Props['calls']; label: string };

/** A picture by its bytes, whatever somebody called it: opened in a tab of its own a page would be one of ours. */
async function asPicture(bytes: Blob): Promise<Blob> {
  const type = pictureTypeOf(new Uint8Array(await bytes.slice(0, BEGINNING_BYTES).arrayBuffer()));
  if (type === null) throw new Failure('invalid', 'guests/picture: no picture');
  return bytes.slice(0, bytes.size, type);
}

function Picture({ token, id, calls, label }: OneProps) {
  const { t } = useTranslation('guest');
  const [url, setUrl] = useState<string | null>(null);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (!isAway) return undefined;
    const again = () => setAway(false);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isAway]);
  useEffect(() => {
    if (isAway) return undefined;
    let made: string | null = null;
    let isOver = false;
    const show = (picture: Blob) => {
      if (isOver) return;
      made = URL.createObjectURL(picture);
      setUrl(made);
    };
    const asked = navigator.onLine ? calls() : Promise.reject(new Failure('offline', 'guests/picture'));
    asked
      .then(reached => reached.send<Blob>('guests/picture', { token, media: id }))
      .then(asPicture)
      .then(show, () => !isOver && setAway(true));
    return () => {
      isOver = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [token, id, calls, isAway]);
  if (isAway) return <p className="sm muted">{t('photoAway', { label })}</p>;
  if (url === null) return <Bone width="100%" height="120px" />;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <img src={url} alt={label} decoding="async" />
    </a>
  );
}
