import { useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileText, ImageOff, X } from 'lucide-react';
import { useLive } from '@cairn/sync/use-live.ts';
import type { Query } from '@cairn/sync/store.ts';
import type { Row } from '@cairn/schema';
import { IconButton } from '@cairn/ui/button.tsx';
import { Dialog } from '@cairn/ui/dialog.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { Bone } from '@cairn/ui/skeleton.tsx';
import { useFormat } from './format.ts';
import { UploadMark } from './upload-mark.tsx';
import { HeldFiles, usePicture } from './use-picture.ts';
import './photo-view.css';

type Props = {
  mediaId: string;
  /** What it shows. */
  label: string;
  onRemove?: () => void;
};

const mediaRow = (id: string): Query<Row<'media'> | undefined> => ({
  key: `media/${id}`,
  tables: ['media'],
  read: tx => tx.get('media', id),
});

/** A photo from the device's own bytes, else fetched once and kept; opens large. */
export function PhotoView({ mediaId, label, onRemove }: Props) {
  const { t } = useTranslation('field');
  const { formatTime } = useFormat();
  const picture = usePicture(mediaId);
  const media = useLive(mediaRow(mediaId));
  const [large, setLarge] = useState(false);
  const taken = media.status === 'ready' ? media.answer?.captured_at : undefined;
  const held = useContext(HeldFiles).get(mediaId);
  const isFile = held ? !held.type.startsWith('image/') : media.status === 'ready' && media.answer?.kind === 'file';
  return (
    <figure className="photo">
      {picture.status === 'ready' && isFile && (
        <a className="photo-none" href={picture.url} download={label}>
          <Icon of={FileText} />
          {label}
        </a>
      )}
      {picture.status === 'ready' && !isFile && (
        <button type="button" className="photo-open" aria-label={label} onClick={() => setLarge(true)}>
          <img src={picture.url} alt="" decoding="async" />
        </button>
      )}
      {picture.status === 'loading' && <Bone width="100%" height="100%" />}
      {picture.status === 'elsewhere' && (
        <span className="photo-none">
          <Icon of={ImageOff} />
          <span className="sr">{label}</span>
          {t('photo.elsewhere')}
        </span>
      )}
      <UploadMark mediaId={mediaId} label={label} />
      {taken && <figcaption>{formatTime(new Date(taken))}</figcaption>}
      {onRemove && (
        <IconButton icon={X} label={t('photo.remove', { label })} className="photo-remove" onClick={onRemove} />
      )}
      {picture.status === 'ready' && !isFile && (
        <Dialog open={large} onOpenChange={setLarge} title={label} closeLabel={t('photo.close')}>
          <img className="photo-large" src={picture.url} alt={label} />
        </Dialog>
      )}
    </figure>
  );
}
