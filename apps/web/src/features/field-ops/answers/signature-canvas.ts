import SignaturePad from 'signature_pad';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';

/** px; a tenth is finer than any finger, and keeps a signature at a few kilobytes. */
const round = (value: number): number => Math.round(value * 10) / 10;

/** Draws on `canvas` and tells of the whole signature after every stroke. */
export function openPad(
  canvas: HTMLCanvasElement,
  before: Signature | null,
  onChange: (signature: Signature) => void,
): { clear: () => void; stop: () => void } {
  const ink = getComputedStyle(canvas).color;
  const pad = new SignaturePad(canvas, { penColor: ink, minWidth: 0.8, maxWidth: 2.4, minDistance: 2 });
  fit(canvas);
  if (before) pad.fromData(asGroups(before, canvas, ink));
  const tell = () => {
    const strokes = pad.toData().map(group => group.points.map(({ x, y }): [number, number] => [round(x), round(y)]));
    onChange({ width: canvas.clientWidth, height: canvas.clientHeight, strokes });
  };
  pad.addEventListener('endStroke', tell);
  const resized = new ResizeObserver(() => {
    const drawn = pad.toData();
    fit(canvas);
    pad.clear();
    pad.fromData(drawn);
  });
  resized.observe(canvas);
  return {
    clear: () => pad.clear(),
    stop() {
      resized.disconnect();
      pad.removeEventListener('endStroke', tell);
      pad.off();
    },
  };
}

/** Sizes the canvas to its box in device pixels, so that lines are sharp. */
function fit(canvas: HTMLCanvasElement): void {
  const ratio = Math.max(devicePixelRatio, 1);
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  canvas.getContext('2d')?.scale(ratio, ratio);
}

/** Strokes as the library keeps them, scaled to a pad of another size. */
function asGroups({ width, height, strokes }: Signature, canvas: HTMLCanvasElement, ink: string) {
  const scale = Math.min(canvas.clientWidth / (width || 1), canvas.clientHeight / (height || 1));
  return strokes.map(stroke => ({
    penColor: ink,
    dotSize: 0,
    minWidth: 0.8,
    maxWidth: 2.4,
    velocityFilterWeight: 0.7,
    compositeOperation: 'source-over' as const,
    points: stroke.map(([x, y]) => ({ x: x * scale, y: y * scale, pressure: 0.5, time: 0 })),
  }));
}
