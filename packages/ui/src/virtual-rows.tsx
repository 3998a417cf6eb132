import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import './surface.css';
import './virtual-rows.css';

type Props<Item extends { id: string }> = {
  rows: readonly Item[];
  /** Height of a row before it was measured, in css px. */
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
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  // oxlint-disable-next-line react/incompatible-library -- React's compiler is not used here
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimate,
    overscan: 12,
    scrollMargin: top,
    getItemKey: index => rows[index]?.id ?? index,
  });
  return (
    <ul
      ref={list}
      className={`list virtual-rows ${className}`}
      aria-label={label}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(item => {
        const row = rows[item.index];
        return row ? (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            style={{ transform: `translateY(${item.start - top}px)` }}
          >
            {renderRow(row)}
          </li>
        ) : null;
      })}
    </ul>
  );
}
