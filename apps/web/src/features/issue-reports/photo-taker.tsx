import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, Images, X } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { NewFile } from '@cairn/core/media/keep-file.ts';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { PickTile } from '@cairn/ui/controls/pick-tile.tsx';
import type { CapturedPhoto } from '../../shared/media/captured-photo.ts';

export type TakenPhoto = NewFile;

type Props = {
  photos: readonly TakenPhoto[];
  most: number;
  /** Makes of a picked file what is kept. @throws {Failure} `invalid` for what is no picture, or too large */
  capture: (file: File) => Promise<CapturedPhoto>;
  onChange: (photos: readonly TakenPhoto[]) => void;
};
type State = 'idle' | 'saving' | 'notAPicture' | 'tooMany' | 'failed';

/** Photos of a report that is not written down yet: they stay with it until it is. */
export function PhotoTaker({ photos, most, capture, onChange }: Props) {
  const { t } = useTranslation('issueReports');
  const [state, setState] = useState<State>('idle');

  async function add(picked: readonly File[]) {
    if (photos.length + picked.length > most) return setState('tooMany');
    setState('saving');
    try {
      const taken: TakenPhoto[] = [];
      for (const file of picked) taken.push({ id: newId(), ...(await capture(file)) });
      onChange([...photos, ...taken]);
      setState('idle');
    } catch (error) {
      setState(error instanceof Failure && error.code === 'invalid' ? 'notAPicture' : 'failed');
    }
  }

  const takes = { accept: 'image/*', onPick: (files: readonly File[]) => void add(files) };
  return (
    <div className="stack">
      <p className="label">{t('photo.label')}</p>
      <div className="report-photos">
        {photos.map((photo, index) => (
          <Shown
            key={photo.id}
            photo={photo}
            label={t('photo.of', { number: index + 1 })}
            onRemove={() => onChange(photos.filter(({ id }) => id !== photo.id))}
          />
        ))}
        <PickTile label={t('photo.add')} icon={Camera} capture {...takes} />
        <PickTile label={t('photo.gallery')} icon={Images} multiple {...takes} />
      </div>
      {state === 'saving' && <output className="hint">{t('photo.saving')}</output>}
      {state !== 'idle' && state !== 'saving' && (
        <p className="err" role="alert">
          {t(`photo.${state}`, { count: most })}
        </p>
      )}
    </div>
  );
}

function Shown({ photo, label, onRemove }: { photo: TakenPhoto; label: string; onRemove: () => void }) {
  const { t } = useTranslation('issueReports');
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image) return undefined;
      const url = URL.createObjectURL(new Blob([photo.bytes], { type: photo.mime }));
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [photo],
  );
  return (
    <figure className="report-photo">
      <img ref={show} alt={label} />
      <IconButton icon={X} label={t('photo.remove', { label })} onClick={onRemove} />
    </figure>
  );
}
