import { useMemo, useState, type CSSProperties } from 'react';
import { useTable, type SortingState } from '@tanstack/react-table';
import { TableBody } from './table-body.tsx';
import { TableHead } from './table-head.tsx';
import { columnDefs, features, type TableColumn, type TableSelection } from './table-columns.ts';
import './data-table.css';

type DataTableProps<Item extends { id: string }> = {
  label: string;
  columns: readonly TableColumn<Item>[];
  rows: readonly Item[];
  /** BCP 47; the order of letters. */
  locale: string;
  sort?: { id: string; desc: boolean };
  selection?: TableSelection<Item>;
  /** Enter or a tap on a row. */
  onOpen?: (item: Item) => void;
  words: {
    /** Names the choice of order on a phone, where there is no head: "Sort by". */
    sortBy: string;
    ascending: (title: string) => string;
    descending: (title: string) => string;
  };
};

/**
 * Rows to sort, choose and open; a card each on a phone. Only rows in sight are drawn. By keyboard: ↑ ↓ Home End move
 * between rows, Space chooses, Enter opens.
 */
export function DataTable<Item extends { id: string }>(props: DataTableProps<Item>) {
  const { label, columns, rows, locale, selection, onOpen, words } = props;
  const [sorting, setSorting] = useState<SortingState>(props.sort ? [props.sort] : []);
  const defs = useMemo(() => columnDefs(columns, locale), [columns, locale]);
  const data = useMemo(() => [...rows], [rows]);
  const rowSelection = useMemo(
    () => Object.fromEntries([...(selection?.selected ?? [])].map(id => [id, true] as const)),
    [selection?.selected],
  );
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: item => item.id,
    state: { sorting, rowSelection },
    onSortingChange: setSorting,
    onRowSelectionChange: change => {
      const next = typeof change === 'function' ? change(rowSelection) : change;
      selection?.onChange(new Set(Object.keys(next).filter(id => next[id])));
    },
    enableRowSelection: selection !== undefined,
    enableMultiSort: false,
  });
  const tracks = columns.map(column => column.width ?? 'minmax(0, 1fr)').join(' ');
  const style: CSSProperties & { '--tracks': string } = { '--tracks': selection ? `var(--touch) ${tracks}` : tracks };
  return (
    <table
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys move between rows
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={selection ? true : undefined}
      className="data-table"
      style={style}
    >
      <TableHead
        columns={columns}
        sorting={sorting}
        onSort={setSorting}
        words={words}
        all={
          selection && {
            label: selection.allLabel,
            checked: table.getIsAllRowsSelected(),
            some: table.getIsSomeRowsSelected(),
            onChange: on => table.toggleAllRowsSelected(on),
          }
        }
      />
      <TableBody rows={table.getRowModel().rows} columns={columns} selection={selection} onOpen={onOpen} />
    </table>
  );
}
