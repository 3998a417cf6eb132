import type { ReactNode } from 'react';
import {
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type ColumnDef,
  type Row,
  type RowData,
} from '@tanstack/react-table';

export type TableColumn<Item> = {
  id: string;
  title: string;
  cell: (item: Item) => ReactNode;
  /** What sorting compares; a column without it is not sorted by. Empty values stand last either way. */
  sortBy?: (item: Item) => string | number | null;
  /** Numbers and dates stand at the end. */
  align?: 'start' | 'end';
  /** A track of a CSS grid; "minmax(0, 1fr)" when left out. */
  width?: string;
};

export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
});

export type TableRowOf<Item extends { id: string }> = Row<typeof features, Item>;

export type TableSelection<Item> = {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** Names of the boxes: "Choose Lockout policy", "Choose all". */
  rowLabel: (item: Item) => string;
  allLabel: string;
};

/** Our columns as the table library wants them; texts compare as the language does, numbers within them by value. */
export function columnDefs<Item extends RowData>(
  columns: readonly TableColumn<Item>[],
  locale: string,
): ColumnDef<typeof features, Item>[] {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const compare = (a: unknown, b: unknown) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  return columns.map(column => ({
    id: column.id,
    accessorFn: (item: Item) => column.sortBy?.(item) ?? undefined,
    enableSorting: column.sortBy !== undefined,
    sortUndefined: 'last' as const,
    sortDescFirst: false,
    sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
  }));
}
