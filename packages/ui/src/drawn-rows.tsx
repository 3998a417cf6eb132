import { memo, type ReactNode, type RefObject } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';
import './surface.css';
import './virtual-rows.css';

type Props<Item extends { id: string }, Scroller extends Element | Window> = {
  /** `ol` where the place of a row says something. */
  as: 'ul' | 'ol';
  list: RefObject<HTMLElement | null>;
  virtual: Virtualizer<Scroller, Element>;
  rows: readonly Item[];
  /** How far below the beginning of what scrolls the list begins, in css px. */
  top: number;
  className: string;
  label: string | undefined;
  renderRow: (row: Item) => ReactNode;
};

/** The rows of a long list that are in sight, each in its place; a screen reader hears which of how many. */
export function DrawnRows<Item extends { id: string }, Scroller extends Element | Window>(
  props: Props<Item, Scroller>,
) {
  const { as: List, list, virtual, rows, top, className, label, renderRow } = props;
  return (
    <List
      ref={list as RefObject<HTMLUListElement & HTMLOListElement>}
      className={`virtual-rows ${className}`}
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
            <Content row={row} renderRow={renderRow as (row: { id: string }) => ReactNode} />
          </li>
        ) : null;
      })}
    </List>
  );
}

type ContentProps = { row: { id: string }; renderRow: (row: { id: string }) => ReactNode };

/** What stands in a row is drawn once for each answer of the screen around the list, not with each step of a scroll. */
const Content = memo(({ row, renderRow }: ContentProps) => renderRow(row));
