import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilePlus2, Mic, Video } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { PickTile } from '@cairn/ui/controls/pick-tile.tsx';
import { PhotoView } from '../../../shared/media/photo-view.tsx';
import './photo-strip.css';
import './special-answers.css';

const KINDS = {
  audio: { accept: 'audio/*', icon: Mic },
  video: { accept: 'video/*', icon: Video },
  file: { accept: '', icon: FilePlus2 },
} as const;

export type FileKind = keyof typeof KINDS;

type Props = {
  kind: FileKind;
  mediaIds: readonly string[];
  onAdd: (file: File) => Promise<void>;
  onRemove: (mediaId: string) => Promise<void>;
  /** The app's own recorder, where there is one; then a file is only chosen. */
  recorder: ReactNode;
};

/** Sounds, films and files as an answer: recorded here or by the device's own recorder, or chosen. */
export function FileAnswer({ kind, mediaIds, onAdd, onRemove, recorder }: Props) {
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  const [state, setState] = useState<'idle' | 'saving' | 'unfit' | 'failed'>('idle');
  const { accept, icon } = KINDS[kind];

  async function run(work: () => Promise<void>) {
    setState('saving');
    try {
      await work();
      setState('idle');
    } catch (error) {
      setState(error instanceof Failure && error.code === 'invalid' ? 'unfit' : 'failed');
    }
  }

  return (
    <div className="stack photo-part">
      {recorder}
      <div className="photo-strip file-strip">
        {mediaIds.map((mediaId, index) => (
          <PhotoView
            key={mediaId}
            mediaId={mediaId}
            label={t(`file.of.${kind}`, { number: index + 1 })}
            onRemove={() => void run(() => onRemove(mediaId))}
          />
        ))}
        <PickTile
          label={recorder ? tc('sound.choose') : t(`file.add.${kind}`)}
          icon={icon}
          {...(accept !== '' && { accept })}
          capture={kind !== 'file' && !recorder}
          onPick={([file]) => file && void run(() => onAdd(file))}
        />
      </div>
      {state === 'saving' && <output className="hint">{t('file.saving')}</output>}
      {(state === 'unfit' || state === 'failed') && (
        <p className="err" role="alert">
          {t(`file.${state}`)}
        </p>
      )}
    </div>
  );
}
