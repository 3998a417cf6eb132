import { memo, useState, type ReactNode, type RefObject } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';
import '../layout/surface.css';
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
  const items = virtual.getVirtualItems();
  const isEnding = (items.at(-1)?.index ?? 0) >= rows.length - 1;
  const height = useHeight(virtual.getTotalSize(), virtual.isScrolling && !isEnding);
  return (
    <List
      ref={list as RefObject<HTMLUListElement & HTMLOListElement>}
      className={`virtual-rows ${className}`}
      aria-label={label}
      style={{ height }}
    >
      {items.map(({ key, index, start }) => {
        const row = rows[index];
        return row ? (
          <DrawnRow
            key={key}
            row={row}
            index={index}
            count={rows.length}
            start={start - top}
            measure={virtual.measureElement}
            renderRow={renderRow as (row: { id: string }) => ReactNode}
          />
        ) : null;
      })}
    </List>
  );
}

/** Another height lays out the whole page: rows that turn out higher while they fly by are added when the scroll is over. */
function useHeight(total: number, isHeld: boolean): number {
  const [held, setHeld] = useState(total);
  if (!isHeld && held !== total) setHeld(total);
  return isHeld ? held : total;
}

type RowProps = {
  row: { id: string };
  index: number;
  count: number;
  /** css px below the list's own beginning. */
  start: number;
  measure: (row: Element | null) => void;
  renderRow: (row: { id: string }) => ReactNode;
};

/** A step of a scroll draws the rows that come: those that stay have nothing to say again. */
const DrawnRow = memo(({ row, index, count, start, measure, renderRow }: RowProps) => (
  <li
    ref={measure}
    className="drawn"
    data-index={index}
    aria-setsize={count}
    aria-posinset={index + 1}
    style={{ transform: `translateY(${start}px)` }}
  >
    <Content row={row} renderRow={renderRow} />
  </li>
));

type ContentProps = Pick<RowProps, 'row' | 'renderRow'>;

/** What stands in a row is drawn once for each answer of the screen around the list, wherever the row then moves. */
const Content = memo(({ row, renderRow }: ContentProps) => renderRow(row));
