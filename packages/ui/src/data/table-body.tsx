import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Checkbox } from '../controls/choice.tsx';
import type { TableColumn, TableRowOf, TableSelection } from './table-columns.ts';

/** css px before a row was measured. */
const ROW_PX = 48;
const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: at => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

type Props<Item extends { id: string }> = {
  rows: readonly TableRowOf<Item>[];
  columns: readonly TableColumn<Item>[];
  selection: TableSelection<Item> | undefined;
  onOpen: ((item: Item) => void) | undefined;
};

/** The rows in sight, in the page's own scroll. */
export function TableBody<Item extends { id: string }>({ rows, columns, selection, onOpen }: Props<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState(0);
  const wanted = useRef<number | null>(null);
  // With another function for the keys every place is reckoned anew, at each step of a scroll.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  // oxlint-disable-next-line react/incompatible-library -- React's compiler is not used here
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: top,
    getItemKey,
  });
  // A row that was out of sight can take the focus only once it is drawn.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus();
  });
  const press = (event: KeyboardEvent, at: number, row: TableRowOf<Item>) => {
    if (event.target !== event.currentTarget) return;
    const step = STEPS[event.key];
    if (step) {
      const next = step(at, rows.length - 1);
      wanted.current = next;
      setFocused(next);
      virtual.scrollToIndex(next);
    } else if (event.key === 'Enter' && onOpen) onOpen(row.original);
    else if (event.key === ' ' && selection) row.toggleSelected();
    else return;
    event.preventDefault();
  };
  const tabStop = Math.min(focused, rows.length - 1);
  return (
    <tbody ref={body} className="table-body" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        return row ? (
          <tr
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-rowindex={index + 2}
            aria-selected={selection ? row.getIsSelected() : undefined}
            tabIndex={index === tabStop ? 0 : -1}
            className={`table-row${onOpen ? ' opens' : ''}`}
            style={{ transform: `translateY(${start - top}px)` }}
            onFocus={() => setFocused(index)}
            onKeyDown={event => press(event, index, row)}
            onClick={() => onOpen?.(row.original)}
          >
            {selection && (
              <RowTick
                label={selection.rowLabel(row.original)}
                checked={row.getIsSelected()}
                onChange={row.toggleSelected}
              />
            )}
            {columns.map(column => (
              <td key={column.id} className={`cell ${column.align ?? 'start'}`} data-title={column.title}>
                <span>{column.cell(row.original)}</span>
              </td>
            ))}
          </tr>
        ) : null;
      })}
    </tbody>
  );
}

type TickProps = { label: string; checked: boolean; onChange: (on: boolean) => void };

/** A tap on the box chooses and does not open. */
function RowTick({ label, checked, onChange }: TickProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- stops the row's own tap; keys are the row's
    <td className="table-tick" onClick={event => event.stopPropagation()}>
      <Checkbox label={label} labelHidden checked={checked} onChange={on => onChange(on)} />
    </td>
  );
}
