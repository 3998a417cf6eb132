import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Mark } from '@cairn/core/inspections/photo-marks.ts';
import { useFormat } from '../../../shared/format/format.ts';
import { drawMarks } from './draw-marks.ts';
import type { useDrawingTool } from './use-drawing-tool.ts';

type Props = {
  /** What is drawn on; null for white paper. */
  picture: string | null;
  marks: readonly Mark[];
  tool: ReturnType<typeof useDrawingTool>;
  onUnreadable: () => void;
};

/** The photo with a canvas over it. Keys draw too: a cross is moved, Enter begins and ends a mark. */
export function MarksCanvas({ picture, marks, tool, onUnreadable }: Props) {
  const { t } = useTranslation('capture');
  const id = useId();
  const { mark, cross } = tool;
  const [isShown, setShown] = useState(picture === null);
  return (
    <>
      <div className="marks-stage">
        {picture === null ? (
          <div className="marks-paper" />
        ) : (
          <img src={picture} alt="" draggable={false} onLoad={() => setShown(true)} onError={onUnreadable} />
        )}
        {isShown && <Surface marks={marks} tool={tool} describedBy={id} />}
        {cross && (
          <span
            className="marks-cross"
            aria-hidden="true"
            style={{ insetBlockStart: `${cross[1] * 100}%`, left: `${cross[0] * 100}%` }}
          />
        )}
      </div>
      <p className="hint" id={id}>
        {t('draw.how')}
      </p>
      <Told cross={cross} mark={mark} />
    </>
  );
}

type SurfaceProps = Pick<Props, 'marks' | 'tool'> & { describedBy: string };

/** Where one draws: only there once the photo is, for until then it has no size, and a stroke would hit nothing. */
function Surface({ marks, tool, describedBy }: SurfaceProps) {
  const { t } = useTranslation('capture');
  const { mark, cross: _, ...hand } = tool;
  const canvas = useDrawn(mark ? [...marks, mark] : marks);
  return (
    <canvas
      ref={canvas}
      {...hand}
      tabIndex={0}
      // Keys are the drawing's own here, as a screen reader must know.
      // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role
      role="application"
      aria-label={t('draw.canvas')}
      aria-describedby={describedBy}
    />
  );
}

/** What an eye sees of the cross, said. */
function Told({ cross, mark }: Pick<Props['tool'], 'cross' | 'mark'>) {
  const { t } = useTranslation('capture');
  const { formatNumber } = useFormat();
  const per = (share: number) => formatNumber(share * 100);
  return (
    <output className="sr">
      {cross && t('draw.cross', { x: per(cross[0]), y: per(cross[1]) })}
      {cross && mark && ` ${t('draw.begun')}`}
    </output>
  );
}

/** Draws the marks at the screen's own resolution, again whenever the canvas is laid out anew. */
function useDrawn(marks: readonly Mark[]) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const measure = useEffectEvent((element: HTMLCanvasElement) => {
    const ratio = Math.max(devicePixelRatio, 1);
    setSize({
      width: Math.round(element.clientWidth * ratio),
      height: Math.round(element.clientHeight * ratio),
    });
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const resized = new ResizeObserver(() => measure(element));
    resized.observe(element);
    return () => resized.disconnect();
  }, [canvas]);
  useEffect(() => {
    const element = canvas.current;
    const brush = element?.getContext('2d');
    if (!element || !brush || size.width === 0) return;
    // Setting a size empties the canvas.
    element.width = size.width;
    element.height = size.height;
    drawMarks(brush, marks, size);
  }, [canvas, marks, size]);
  return canvas;
}
