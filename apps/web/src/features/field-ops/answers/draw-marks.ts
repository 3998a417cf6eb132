import { arrowHead, type Ink, type Mark, type Spot } from '@cairn/core/inspections/photo-marks.ts';

type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
type Size = { width: number; height: number };

/**
 * Inks are part of the picture, the same in every theme. Each has an edge of the other brightness, so that it stands out on
 * any ground.
 */
const COLOURS: Record<Ink, { line: string; edge: string }> = {
  red: { line: '#e0191f', edge: '#ffffff' },
  yellow: { line: '#ffd60a', edge: '#000000' },
  black: { line: '#000000', edge: '#ffffff' },
};

/** Shares of the longer side. */
const LINE = 1 / 130;
const HEAD = 1 / 18;
const FONT_RATIO = 1 / 24;
/** How much wider the edge is than the line. */
const EDGE = 1.7;

/** Draws marks on a picture of that size, px. */
export function drawMarks(brush: Brush, marks: readonly Mark[], size: Size): void {
  brush.lineCap = 'round';
  brush.lineJoin = 'round';
  for (const mark of marks) drawMark(brush, mark, size);
}

function drawMark(brush: Brush, mark: Mark, size: Size): void {
  const longer = Math.max(size.width, size.height);
  const { line, edge } = COLOURS[mark.ink];
  const at = ([x, y]: Spot): [number, number] => [x * size.width, y * size.height];
  if (mark.kind === 'text') {
    brush.font = `700 ${Math.round(longer * FONT_RATIO)}px system-ui, sans-serif`;
    brush.textBaseline = 'middle';
    brush.lineWidth = longer * LINE;
    brush.strokeStyle = edge;
    brush.fillStyle = line;
    const [x, y] = at(mark.at);
    const room = size.width - x;
    brush.strokeText(mark.text, x, y, room);
    brush.fillText(mark.text, x, y, room);
    return;
  }
  for (const [colour, width] of [
    [edge, EDGE],
    [line, 1],
  ] as const) {
    brush.strokeStyle = colour;
    brush.lineWidth = longer * LINE * width;
    brush.beginPath();
    trace(brush, mark, { at, head: longer * HEAD });
    brush.stroke();
  }
}

type TracedMark = Exclude<Mark, { kind: 'text' }>;

function trace(
  brush: Brush,
  mark: TracedMark,
  { at, head }: { at: (spot: Spot) => [number, number]; head: number },
): void {
  if (mark.kind === 'pen') {
    const [first, ...others] = mark.spots;
    if (!first) return;
    brush.moveTo(...at(first));
    // A dot is a line of no length.
    for (const spot of others.length > 0 ? others : [first]) brush.lineTo(...at(spot));
    return;
  }
  const [from, to] = [at(mark.from), at(mark.to)];
  if (mark.kind === 'circle') {
    const [middleX, middleY] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const [radiusX, radiusY] = [Math.abs(to[0] - from[0]) / 2, Math.abs(to[1] - from[1]) / 2];
    brush.ellipse(middleX, middleY, radiusX, radiusY, 0, 0, Math.PI * 2);
    return;
  }
  const [left, right] = arrowHead(from, to, head);
  brush.moveTo(...from);
  brush.lineTo(...to);
  brush.moveTo(...left);
  brush.lineTo(...to);
  brush.lineTo(...right);
}

/** Pixels a browser draws in one canvas on every phone we know (iOS stops at 16.7 million). */
const MAX_PIXELS = 16_000_000;
const QUALITY = 0.92;

/** White paper for a sketch that has no photo below it, px. */
const PAPER: Size = { width: 1600, height: 1200 };

/**
 * The picture with its marks, as a new JPEG at the picture's own size (as far as this device can draw it).
 *
 * @param photo null for white paper
 * @throws {DOMException} when this browser cannot draw the photo's format
 */
export async function markedCopy(photo: Blob | null, marks: readonly Mark[]): Promise<Blob> {
  const picture = photo && (await createImageBitmap(photo));
  try {
    const whole = picture ?? PAPER;
    const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (whole.width * whole.height)));
    const size = { width: Math.round(whole.width * scale), height: Math.round(whole.height * scale) };
    const canvas = new OffscreenCanvas(size.width, size.height);
    const brush = canvas.getContext('2d');
    if (!brush) throw new DOMException('no canvas to draw on', 'InvalidStateError');
    if (picture) brush.drawImage(picture, 0, 0, size.width, size.height);
    else {
      brush.fillStyle = '#ffffff';
      brush.fillRect(0, 0, size.width, size.height);
    }
    drawMarks(brush, marks, size);
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  } finally {
    picture?.close();
  }
}
