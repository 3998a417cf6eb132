import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Mic, X } from 'lucide-react';
import type { Row } from '@cairn/schema';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { UploadMark } from './upload-mark.tsx';
import { usePicture } from './use-picture.ts';
import { lengthText } from '../format/length-text.ts';
import './captured.css';

type Props = {
  media: Row<'media'>;
  label: string;
  onRemove?: (() => void) | undefined;
};

/** Whether a file is heard rather than looked at. */
export const isSound = (media: Pick<Row<'media'>, 'mime'>): boolean => media.mime.startsWith('audio/');

/** A recording, played where it stands. */
export function SoundView({ media, label, onRemove }: Props) {
  const { t } = useTranslation('capture');
  const { t: tf } = useTranslation('field');
  const sound = usePicture(media.id);
  const [isUnplayable, setUnplayable] = useState(false);
  const length = media.duration_ms === null ? null : lengthText(media.duration_ms);
  return (
    <figure className="sound">
      <div className="row">
        <Icon of={Mic} size="s" />
        <figcaption className="grow strong sm trunc">{label}</figcaption>
        {length && <span className="num sm muted">{t('sound.length', { length })}</span>}
        {onRemove && <IconButton icon={X} label={tf('photo.remove', { label })} onClick={onRemove} />}
      </div>
      {sound.status === 'elsewhere' && <p className="sm muted">{t('sound.elsewhere')}</p>}
      {isUnplayable && sound.status === 'ready' && (
        <p className="sm muted">
          {t('sound.unplayable')}{' '}
          <a href={sound.url} download={label}>
            {t('sound.keepFile', { label })}
          </a>
        </p>
      )}
      {sound.status === 'ready' && !isUnplayable && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- nobody has written down what a recording says
        <audio
          controls
          preload="metadata"
          src={sound.url}
          aria-label={t('sound.play', { label })}
          onError={() => setUnplayable(true)}
        />
      )}
      <UploadMark mediaId={media.id} label={label} />
    </figure>
  );
}
