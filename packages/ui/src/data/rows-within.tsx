import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { DrawnRows } from './drawn-rows.tsx';

type Props<Item extends { id: string }> = {
  rows: readonly Item[];
  /** Height of a row before it was measured, in css px. */
  estimate: number;
  className?: string;
  label?: string;
  /** The row that is in sight at first. */
  startAt?: number;
  renderRow: (row: Item) => ReactNode;
};

/** What scrolls around an element: a sheet, a pane; the page where nothing does. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (['auto', 'scroll'].includes(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}

type ScrollPosition = { scroller: HTMLElement; top: number };

/** A numbered list inside of something that scrolls, of which only the rows in sight are drawn, however many there are. */
export function RowsWithin<Item extends { id: string }>({
  rows,
  estimate,
  className = '',
  label,
  startAt = 0,
  renderRow,
}: Props<Item>) {
  const list = useRef<HTMLOListElement>(null);
  const [place, setPlace] = useState<ScrollPosition | null>(null);
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  useLayoutEffect(() => {
    if (!list.current) return;
    const scroller = scrollerOf(list.current);
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    setPlace({ scroller, top });
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- React's compiler is not used here
  const virtual = useVirtualizer({
    count: rows.length,
    estimateSize: () => estimate,
    getScrollElement: () => place?.scroller ?? null,
    overscan: 6,
    scrollMargin: place?.top ?? 0,
    getItemKey,
  });
  useLayoutEffect(() => {
    if (place && startAt > 0) virtual.scrollToIndex(startAt, { align: 'center' });
    // Once, when it is known what scrolls: from then on it is the person who does.
  }, [place]);
  return (
    <DrawnRows
      as="ol"
      list={list}
      virtual={virtual}
      rows={rows}
      top={place?.top ?? 0}
      className={className}
      label={label}
      renderRow={renderRow}
    />
  );
}
