import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { isVisible, spotAt, type Ink, type Mark, type Spot } from '@cairn/core/inspections/photo-marks.ts';

export type Tool = Mark['kind'];

type Hand = { tool: Tool; ink: Ink; words: string };

/** Shares of the picture that one press of an arrow key moves the cross. */
const STEP = 0.02;
const LEAP = 0.1;

const MOVES: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A mark begun at a spot. */
function begun({ tool, ink, words }: Hand, at: Spot): Mark {
  if (tool === 'pen') return { kind: 'pen', ink, spots: [at] };
  return tool === 'text' ? { kind: 'text', ink, at, text: words.trim() } : { kind: tool, ink, from: at, to: at };
}

/** The mark with the hand gone on to a spot. */
function goneOn(mark: Mark, to: Spot): Mark {
  if (mark.kind === 'pen') return { ...mark, spots: [...mark.spots, to] };
  return mark.kind === 'text' ? { ...mark, at: to } : { ...mark, to };
}

function spotOf({ currentTarget, clientX, clientY }: PointerEvent): Spot {
  const box = currentTarget.getBoundingClientRect();
  return spotAt((clientX - box.left) / (box.width || 1), (clientY - box.top) / (box.height || 1));
}

type DrawingTool = {
  /** The mark being made. */
  mark: Mark | null;
  /** Where the cross of the keyboard is; null while a hand draws. */
  cross: Spot | null;
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

type PenHandlers = { onMark: (mark: Mark) => void; onWordless: () => void; onUndo: () => void };

/**
 * The mark being made, and as it is shown. A finger can be up again before its moves were shown
 * (a busy phone draws seldom): what is shown then lacks the end of the stroke, or all of it.
 */
function useMarkBeingMade() {
  const [mark, setMark] = useState<Mark | null>(null);
  const latest = useRef<Mark | null>(null);
  const make = (next: Mark | null) => {
    latest.current = next;
    setMark(next);
  };
  return { mark, made: () => latest.current, make };
}

/** Draws with finger, pen, mouse or keys; tells of each finished mark. */
export function useDrawingTool(hand: Hand, { onMark, onWordless, onUndo }: PenHandlers): DrawingTool {
  const { mark, made, make } = useMarkBeingMade();
  const [cross, setCross] = useState<Spot | null>(null);

  function begin(at: Spot): void {
    if (hand.tool === 'text' && hand.words.trim() === '') onWordless();
    else make(begun(hand, at));
  }
  function end(): void {
    const done = made();
    make(null);
    if (done && isVisible(done)) onMark(done);
  }
  function goOn(to: Spot): void {
    const now = made();
    if (now) make(goneOn(now, to));
  }
  function move(to: Spot): void {
    setCross(to);
    goOn(to);
  }
  const keys = { mark, cross: cross ?? CENTRE, begin, end, move, onUndo: () => (mark ? make(null) : onUndo()) };

  return {
    mark,
    cross,
    onPointerDown(event) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      setCross(null);
      begin(spotOf(event));
    },
    onPointerMove: event => goOn(spotOf(event)),
    onPointerUp: end,
    // The system took the finger (a call, a gesture): what was drawn until then stands.
    onPointerCancel: end,
    onKeyDown: event => press(event, keys),
  };
}

const CENTRE: Spot = [0.5, 0.5];

type KeyContext = {
  mark: Mark | null;
  cross: Spot;
  begin: (at: Spot) => void;
  end: () => void;
  move: (to: Spot) => void;
  onUndo: () => void;
};

function press(event: KeyboardEvent, { mark, cross, begin, end, move, onUndo }: KeyContext): void {
  const way = MOVES[event.key];
  const isEnter = event.key === 'Enter' || event.key === ' ';
  if (!way && !isEnter && event.key !== 'Backspace') return;
  event.preventDefault();
  if (way) {
    const far = event.shiftKey ? LEAP : STEP;
    move(spotAt(cross[0] + way[0] * far, cross[1] + way[1] * far));
  } else if (isEnter && mark) end();
  else if (isEnter) {
    move(cross);
    begin(cross);
  } else onUndo();
}
