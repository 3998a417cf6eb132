import { useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, Images, X } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { ReportPhoto } from '@cairn/core/issue-reports/report-issue.ts';
import { IconButton } from '@cairn/ui/button.tsx';
import { Icon, type IconOf } from '@cairn/ui/icon.tsx';
import type { CapturedPhoto } from '../../shared/captured-photo.ts';

export type TakenPhoto = ReportPhoto;

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

  async function add(files: FileList | null) {
    const picked = [...(files ?? [])];
    if (picked.length === 0) return;
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
        <Tile label={t('photo.add')} icon={Camera} camera onPick={files => void add(files)} />
        <Tile label={t('photo.gallery')} icon={Images} onPick={files => void add(files)} />
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

type TileProps = { label: string; icon: IconOf; camera?: boolean; onPick: (files: FileList | null) => void };

function Tile({ label, icon, camera = false, onPick }: TileProps) {
  const id = useId();
  return (
    <label className="report-photo-add" htmlFor={id}>
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
