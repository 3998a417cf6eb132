import { useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileText, ImageOff, Pencil, X } from 'lucide-react';
import { useLive } from '@cairn/sync/use-live.ts';
import type { Row } from '@cairn/schema';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Bone } from '@cairn/ui/feedback/skeleton.tsx';
import { useFormat } from '../format/format.ts';
import { mediaRow } from './media-row.ts';
import { isSound, SoundView } from './sound-view.tsx';
import { UploadMark } from './upload-mark.tsx';
import { HeldFiles, usePicture } from './use-picture.ts';
import './captured.css';

type Props = {
  mediaId: string;
  /** What it shows. */
  label: string;
  onRemove?: (() => void) | undefined;
  /** Draws on a copy of it. */
  onDraw?: (() => void) | undefined;
};

/** A photo from the device's own bytes, else fetched once and kept; opens large. A recording is played instead. */
export function PhotoView(props: Props) {
  const found = useLive(mediaRow(props.mediaId));
  const media = found.status === 'ready' ? found.answer : undefined;
  if (media && isSound(media)) return <SoundView media={media} label={props.label} onRemove={props.onRemove} />;
  return <PictureView {...props} media={media} />;
}

function PictureView({ mediaId, label, onRemove, onDraw, media }: Props & { media: Row<'media'> | undefined }) {
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  const { formatTime } = useFormat();
  const picture = usePicture(mediaId);
  const [large, setLarge] = useState(false);
  const held = useContext(HeldFiles).get(mediaId);
  const isFile = held ? !held.type.startsWith('image/') : media?.kind === 'file';
  const isCopy = (media?.drawn_on ?? null) !== null;
  const isShown = picture.status === 'ready' && !isFile;
  return (
    <figure className="photo">
      {picture.status === 'ready' && isFile && (
        <a className="photo-none" href={picture.url} download={label}>
          <Icon of={FileText} />
          {label}
        </a>
      )}
      {isShown && (
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
      {media && (
        <figcaption>
          {isCopy && <span className="sr">{tc('draw.copy')} </span>}
          {isCopy && <Icon of={Pencil} />}
          {formatTime(new Date(media.captured_at))}
        </figcaption>
      )}
      {isShown && onDraw && (
        <IconButton icon={Pencil} label={tc('draw.open', { label })} className="photo-draw" onClick={onDraw} />
      )}
      {onRemove && (
        <IconButton icon={X} label={t('photo.remove', { label })} className="photo-remove" onClick={onRemove} />
      )}
      {isShown && (
        <Dialog open={large} onOpenChange={setLarge} title={label} closeLabel={t('photo.close')}>
          <img className="photo-large" src={picture.url} alt={label} />
        </Dialog>
      )}
    </figure>
  );
}
