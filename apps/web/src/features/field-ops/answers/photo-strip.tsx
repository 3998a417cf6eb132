import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, Images, PencilLine } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { PickTile } from '@cairn/ui/controls/pick-tile.tsx';
import { PhotoView } from '../../../shared/media/photo-view.tsx';
import { PhotoMarksSheet, type DrawingBase } from './photo-marks-sheet.tsx';
import type { DrawnCopy } from './question-acts.ts';
import './photo-strip.css';

type Props = {
  mediaIds: readonly string[];
  /** What the photos show, for screen readers. */
  subject: string;
  onAdd: (file: File) => Promise<void>;
  onRemove: (mediaId: string) => Promise<void>;
  onDrawn: (file: File, copy: DrawnCopy) => Promise<void>;
  /** Names the white paper of a question that is answered by a sketch; null elsewhere. */
  paper: string | null;
};

type State = 'idle' | 'saving' | 'not_a_picture' | 'failed' | 'failed_remove';

/** The photos of one question, and the camera one tap away. */
export function PhotoStrip({ mediaIds, subject, onAdd, onRemove, onDrawn, paper }: Props) {
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  const [drawing, setDrawing] = useState<DrawingBase | null>(null);
  const [state, setState] = useState<State>('idle');
  const [asking, setAsking] = useState<string | null>(null);

  /** Each for itself: one that cannot be kept takes no other with it. */
  async function add(files: readonly File[]) {
    setState('saving');
    let end: State = 'idle';
    for (const file of files) {
      try {
        await onAdd(file);
      } catch (error) {
        end = error instanceof Failure && error.code === 'invalid' ? 'not_a_picture' : 'failed';
      }
    }
    setState(end);
  }

  async function remove(id: string) {
    setAsking(null);
    try {
      await onRemove(id);
      setState('idle');
    } catch {
      // The photo stays where it was; the line below says so.
      setState('failed_remove');
    }
  }

  const takes = { accept: 'image/*', onPick: (files: readonly File[]) => void add(files) };
  return (
    <div className="stack photo-part">
      <div className="photo-strip">
        {mediaIds.map((id, index) => (
          <PhotoView
            key={id}
            mediaId={id}
            label={t('photo.of', { number: index + 1, subject })}
            onRemove={() => setAsking(id)}
            onDraw={() => setDrawing({ mediaId: id })}
          />
        ))}
        {paper !== null && (
          <button type="button" className="pick-tile" onClick={() => setDrawing({ paper })}>
            <Icon of={PencilLine} size="l" />
            <span>{tc('draw.sketch')}</span>
          </button>
        )}
        <PickTile label={t('photo.add')} icon={Camera} capture {...takes} />
        <PickTile label={t('photo.gallery')} icon={Images} multiple {...takes} />
      </div>
      {state === 'saving' && <output className="hint">{t('photo.saving')}</output>}
      <Dialog
        open={asking !== null}
        onOpenChange={open => !open && setAsking(null)}
        title={t('photo.removeAsk')}
        description={t('photo.removeText')}
        closeLabel={t('photo.close')}
        actions={
          <>
            <Button variant="plain" onClick={() => setAsking(null)}>
              {t('photo.keep')}
            </Button>
            <Button variant="danger" onClick={() => asking !== null && void remove(asking)}>
              {t('photo.removeYes')}
            </Button>
          </>
        }
      />
      {drawing && <PhotoMarksSheet on={drawing} onClose={() => setDrawing(null)} onKeep={onDrawn} />}
      {state !== 'idle' && state !== 'saving' && (
        <p className="err" role="alert">
          {t(`photo.${state}`)}
        </p>
      )}
    </div>
  );
}
