import { useEffect } from 'react';
import { whenIdle } from '../../../shared/page/use-idle.ts';

/** Fetches what draws a signature while nobody waits: a first stroke on a field that has not got it yet is lost. */
export function usePrefetchPad(): void {
  // A help only: the field asks for it itself, and says where it cannot be had.
  useEffect(() => whenIdle(() => void import('../answers/signature-canvas.ts').catch(() => undefined), 0), []);
}
