import { useCallback, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { measureElement, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { DrawnRows } from './drawn-rows.tsx';

type Props<Item extends { id: string }> = {
  rows: readonly Item[];
  /** Height of a row before any was measured, in css px; from then on the first ones tell. */
  estimate: number;
  className?: string;
  label?: string;
  renderRow: (row: Item) => ReactNode;
};

/** A list in the page's own scroll of which only the rows in sight are drawn, however many there are. */
export function VirtualRows<Item extends { id: string }>({
  rows,
  estimate,
  className = '',
  label,
  renderRow,
}: Props<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const usual = useUsualHeight(estimate);
  // With another function for the keys every place is reckoned anew, at each step of a scroll.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  useLayoutEffect(() => watchTop(list.current, setTop), []);
  // oxlint-disable-next-line react/incompatible-library -- React's compiler is not used here
  const virtual = useWindowVirtualizer({
    count: rows.length,
    ...usual,
    overscan: 8,
    scrollMargin: top,
    getItemKey,
  });
  return (
    <DrawnRows
      as="ul"
      list={list}
      virtual={virtual}
      rows={rows}
      top={top}
      className={`list ${className}`}
      label={label}
      renderRow={renderRow}
    />
  );
}

/** Tells how far below the page's beginning a list begins, now and when what stands above it comes or goes. */
function watchTop(list: Element | null, tell: (top: number) => void): () => void {
  const look = () => tell((list?.getBoundingClientRect().top ?? 0) + window.scrollY);
  look();
  // Where there is none, as the virtualizer itself: the list stays where it began.
  if (!('ResizeObserver' in window)) return () => {};
  const page = new ResizeObserver(look);
  page.observe(document.body);
  return () => page.disconnect();
}

type Heights = { told: number; usual: number | null };

/**
 * A row that is higher than was said makes every place after it be reckoned anew. So the second row says how high the
 * unseen ones are taken for: on this width, in this size of text. (The first has no line above it.)
 */
function useUsualHeight(told: number) {
  const heights = useRef<Heights>({ told, usual: null }).current;
  return useMemo(
    () => ({
      estimateSize: () => heights.usual ?? heights.told,
      measureElement(row: Element, entry: ResizeObserverEntry | undefined, list: Virtualizer<Window, Element>) {
        const height = measureElement(row, entry, list);
        if (heights.usual === null && list.indexFromElement(row) > 0 && height > 0) heights.usual = height;
        return height;
      },
    }),
    [heights],
  );
}
