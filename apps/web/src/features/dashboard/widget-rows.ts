import type { Widget } from '@cairn/core/dashboard/widgets.ts';

/** Widgets that take the whole width; the others stand beside each other where there is room. */
const WHOLE: ReadonlySet<Widget> = new Set(['journey', 'next', 'tiles']);

/** Rows of the dashboard in the given order: a widget of the whole width is a row of its own. */
export function widgetRows<Item extends { name: Widget }>(items: readonly Item[]): Item[][] {
  const rows: Item[][] = [];
  let open: Item[] | null = null;
  for (const item of items) {
    if (WHOLE.has(item.name)) {
      rows.push([item]);
      open = null;
    } else if (open) {
      open.push(item);
    } else {
      open = [item];
      rows.push(open);
    }
  }
  return rows;
}
