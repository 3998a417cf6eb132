import { useEffect, useState } from 'react';

/** How wide an element is (px); 0 before it stands. */
export function useWidth(): [onFrame: (frame: HTMLElement | null) => void, width: number] {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!frame || typeof ResizeObserver === 'undefined') return undefined;
    const sizes = new ResizeObserver(() => setWidth(frame.clientWidth));
    sizes.observe(frame);
    return () => sizes.disconnect();
  }, [frame]);
  return [setFrame, width];
}
