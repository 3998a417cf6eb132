import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, Images } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { Icon } from '@cairn/ui/icon.tsx';
import { PhotoView } from '../../shared/photo-view.tsx';
import './photo-strip.css';

type Props = {
  mediaIds: readonly string[];
  /** What the photos show, for screen readers. */
  subject: string;
  onAdd: (file: File) => Promise<void>;
  onRemove: (mediaId: string) => void;
};

type State = 'idle' | 'saving' | 'not_a_picture' | 'failed';

/** The photos of one question, and the camera one tap away. */
export function PhotoStrip({ mediaIds, subject, onAdd, onRemove }: Props) {
  const { t } = useTranslation('field');
  const [state, setState] = useState<State>('idle');

  async function add(files: FileList | null) {
    setState('saving');
    try {
      for (const file of files ?? []) await onAdd(file);
      setState('idle');
    } catch (error) {
      setState(error instanceof Failure && error.code === 'invalid' ? 'not_a_picture' : 'failed');
    }
  }

  return (
    <div className="stack photo-part">
      <div className="photo-strip">
        {mediaIds.map((id, index) => (
          <PhotoView
            key={id}
            mediaId={id}
            label={t('photo.of', { number: index + 1, subject })}
            onRemove={() => onRemove(id)}
          />
        ))}
        <FileTile label={t('photo.add')} icon={Camera} camera onPick={files => void add(files)} />
        <FileTile label={t('photo.gallery')} icon={Images} onPick={files => void add(files)} />
      </div>
      {state === 'saving' && (
        <output className="hint">{t('photo.saving')}</output>
      )}
      {(state === 'failed' || state === 'not_a_picture') && (
        <p className="err" role="alert">
          {t(`photo.${state}`)}
        </p>
      )}
    </div>
  );
}

type TileProps = { label: string; icon: typeof Camera; camera?: boolean; onPick: (files: FileList | null) => void };

function FileTile({ label, icon, camera = false, onPick }: TileProps) {
  const id = useId();
  return (
    <label className="photo-add" htmlFor={id}>
      <input
        id={id}
        className="sr"
        type="file"
        accept="image/*"
        {...(camera ? { capture: 'environment' as const } : { multiple: true })}
        onChange={event => {
          onPick(event.target.files);
          // The same picture may be picked again after it was removed.
          event.target.value = '';
        }}
      />
      <Icon of={icon} size="l" />
      <span>{label}</span>
    </label>
  );
}
