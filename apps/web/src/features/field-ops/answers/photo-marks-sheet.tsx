import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Undo2 } from 'lucide-react';
import { inks, type Ink } from '@cairn/core/inspections/photo-marks.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { usePicture } from '../../../shared/media/use-picture.ts';
import type { DrawnCopy } from './question-acts.ts';
import { MarksCanvas } from './marks-canvas.tsx';
import { markedCopy } from './draw-marks.ts';
import { useDrawing, type DrawingInProgress } from './use-drawing.ts';
import { useDrawingTool, type Tool } from './use-drawing-tool.ts';
import './photo-marks.css';

/** What is drawn on: a photo, or white paper (named after the question it belongs to). */
export type DrawingBase = { mediaId: string } | { paper: string };

type Props = {
  on: DrawingBase;
  onClose: () => void;
  onKeep: (file: File, copy: DrawnCopy) => Promise<void>;
};

const TOOLS = ['arrow', 'circle', 'pen', 'text'] as const satisfies Tool[];

/** Draws on a photo. The photo stays; what is drawn becomes a copy beside it. */
export function PhotoMarksSheet({ on, onClose, onKeep }: Props) {
  const { t } = useTranslation('capture');
  const isPaper = 'paper' in on;
  const made = useDrawing(isPaper ? on.paper : on.mediaId);
  const keeping = useKeeping({ on, made, onKeep, onClose });
  const marks = made.drawing?.marks ?? [];
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t(isPaper ? 'draw.sketchTitle' : 'draw.title')}
      description={t(isPaper ? 'draw.sketchText' : 'draw.text')}
      closeLabel={t('draw.close')}
      actions={
        <>
          <Button size="lg" icon={Undo2} disabled={marks.length === 0} onClick={() => made.change(marks.slice(0, -1))}>
            {t('draw.undo')}
          </Button>
          <Button
            size="lg"
            variant="primary"
            disabled={marks.length === 0}
            busy={keeping.state === 'busy'}
            onClick={keeping.run}
          >
            {t('draw.save')}
          </Button>
        </>
      }
    >
      <Drawable on={on} made={made} />
      <output className="sr">{t('draw.marks', { count: marks.length })}</output>
      {(made.isUnkept || keeping.state === 'failed') && (
        <p className="err" role="alert">
          {t(keeping.state === 'failed' ? 'draw.failed' : 'draw.notKept')}
        </p>
      )}
    </Sheet>
  );
}

type KeepOptions = Pick<Props, 'on' | 'onKeep' | 'onClose'> & { made: DrawingInProgress };

function useKeeping({ on, made, onKeep, onClose }: KeepOptions) {
  const { engine } = useSignedIn();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  async function keep(): Promise<void> {
    const { drawing } = made;
    if (!drawing) return;
    const drawnOn = 'mediaId' in on ? on.mediaId : null;
    const photo = drawnOn === null ? null : new Blob([await engine.file(drawnOn)]);
    const copy = await markedCopy(photo, drawing.marks);
    await onKeep(new File([copy], 'drawn.jpg', { type: copy.type }), { id: drawing.copyId, drawnOn });
    onClose();
    // Should this fail: the next time it is opened, its copy is found, and a new drawing begins.
    await made.end();
  }
  const run = () => {
    setState('busy');
    keep().catch(() => setState('failed'));
  };
  return { state, run };
}

function Drawable({ on, made }: { on: DrawingBase; made: DrawingInProgress }) {
  const { t } = useTranslation('capture');
  const picture = usePicture('mediaId' in on ? on.mediaId : null);
  const [isUnreadable, setUnreadable] = useState(false);
  const isPaper = 'paper' in on;
  if (isUnreadable || (!isPaper && picture.status === 'elsewhere')) {
    return (
      <p className="err" role="alert">
        {t('draw.unreadable')}
      </p>
    );
  }
  if (!made.drawing || (!isPaper && picture.status !== 'ready')) {
    return <output className="hint">{t('draw.loading')}</output>;
  }
  const url = picture.status === 'ready' ? picture.url : null;
  return <DrawingBoard picture={isPaper ? null : url} made={made} onUnreadable={() => setUnreadable(true)} />;
}

type DrawingBoardProps = { picture: string | null; made: DrawingInProgress; onUnreadable: () => void };

function DrawingBoard({ picture, made, onUnreadable }: DrawingBoardProps) {
  const { t } = useTranslation('capture');
  const [tool, setTool] = useState<Tool>('arrow');
  const [ink, setInk] = useState<Ink>('red');
  const [words, setWords] = useState('');
  const [isWordless, setWordless] = useState(false);
  const marks = made.drawing?.marks ?? [];
  const drawingTool = useDrawingTool(
    { tool, ink, words },
    {
      onMark: mark => made.change([...marks, mark]),
      onWordless: () => setWordless(true),
      onUndo: () => made.change(marks.slice(0, -1)),
    },
  );
  return (
    <div className="marks-desk">
      <Segmented
        block
        label={t('draw.tool')}
        options={TOOLS.map(value => ({ value, label: t(`draw.tools.${value}`) }))}
        value={tool}
        onChange={value => setTool(TOOLS.find(each => each === value) ?? 'arrow')}
      />
      <Segmented
        block
        label={t('draw.ink')}
        options={inks.map(value => ({ value, label: t(`draw.inks.${value}`) }))}
        value={ink}
        onChange={value => setInk(inks.find(each => each === value) ?? 'red')}
      />
      {tool === 'text' && (
        <Input
          label={t('draw.words')}
          value={words}
          maxLength={200}
          error={isWordless && words.trim() === '' ? t('draw.wordsFirst') : undefined}
          onChange={event => setWords(event.target.value)}
        />
      )}
      <MarksCanvas picture={picture} marks={marks} tool={drawingTool} onUnreadable={onUnreadable} />
    </div>
  );
}
