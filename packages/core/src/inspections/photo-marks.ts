import { z } from '../shapes.ts';

/** A spot on a picture: fractions of its width and height, 0 to 1, so that a mark fits every size it is shown at. */
export type Spot = [x: number, y: number];

/** Colours that stand out on a photo. */
export const inks = ['red', 'yellow', 'black'] as const;
export type Ink = (typeof inks)[number];

const fraction = z.number().min(0).max(1);
const spot = z.tuple([fraction, fraction]);
const ink = z.enum(inks);

const mark = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pen'), ink, spots: z.array(spot).min(1) }),
  /** From its tail to its tip. */
  z.object({ kind: z.literal('arrow'), ink, from: spot, to: spot }),
  /** The ellipse in the box between two corners. */
  z.object({ kind: z.literal('circle'), ink, from: spot, to: spot }),
  /** Begins at its spot, its middle at that height. */
  z.object({ kind: z.literal('text'), ink, at: spot, text: z.string().min(1).max(200) }),
]);

/** What was drawn on a photo, one stroke of the hand each. */
export type Mark = z.infer<typeof mark>;

/** A drawing that is being made: the id its copy will have, so that saving twice makes one copy, and its marks so far. */
export type Drawing = { copyId: string; marks: Mark[] };

const drawing = z.object({ copyId: z.uuid(), marks: z.array(mark) });

/** A drawing as it was kept on the device; null for what none is. */
export function drawingFrom(kept: unknown): Drawing | null {
  const read = drawing.safeParse(kept);
  return read.success ? read.data : null;
}

/** A spot inside the picture, whatever the hand did. */
export const spotAt = (x: number, y: number): Spot => [within(x), within(y)];

const within = (value: number): number => Math.min(1, Math.max(0, value));

/** Share of the longer side below which an arrow or a circle was a slip of the hand. */
const SLIP = 0.01;

/** Whether a mark can be seen: an arrow or a circle of no size is none. */
export function isVisible(drawn: Mark): boolean {
  if (drawn.kind === 'pen') return true;
  if (drawn.kind === 'text') return drawn.text.trim() !== '';
  return Math.hypot(drawn.to[0] - drawn.from[0], drawn.to[1] - drawn.from[1]) > SLIP;
}

/** Radians between an arrow's shaft and each side of its head. */
const HEAD_ANGLE = Math.PI / 7;

type Point = readonly [x: number, y: number];

/**
 * The two ends of an arrow's head.
 *
 * @param length of each side, in the unit of the points; never longer than half the shaft
 */
export function arrowHead([fromX, fromY]: Point, [toX, toY]: Point, length: number): [Point, Point] {
  const angle = Math.atan2(toY - fromY, toX - fromX);
  const side = Math.min(length, Math.hypot(toX - fromX, toY - fromY) / 2);
  const end = (turn: number): Point => [toX - side * Math.cos(angle + turn), toY - side * Math.sin(angle + turn)];
  return [end(HEAD_ANGLE), end(-HEAD_ANGLE)];
}
