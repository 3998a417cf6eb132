import { useRef, type TouchEvent } from 'react';

/** px a finger must travel sideways. */
const FAR = 56;

/** Sideways swipes over a part of the screen; what is drawn or typed in keeps its own gestures. */
export function useSwipe(onForward: () => void, onBack: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart(event: TouchEvent) {
      const touch = event.touches[0];
      const own =
        event.target instanceof Element && event.target.closest('canvas, input, textarea, select, .site-map-box');
      start.current = touch && event.touches.length === 1 && !own ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd(event: TouchEvent) {
      const from = start.current;
      const touch = event.changedTouches[0];
      start.current = null;
      if (!from || !touch) return;
      const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
      if (Math.abs(dx) < FAR || Math.abs(dx) < 2 * Math.abs(dy)) return;
      const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? dx > 0 : dx < 0;
      if (forward) onForward();
      else onBack();
    },
  };
}
