import type { Finding, Table } from '../workbook/sheet-table.ts';

const REFERENCE = /\$\{\s*(?:last-saved#)?([^}\s]+)\s*\}/g;

/**
 * Cells that refer to a name which several rows have: which of them is meant is not said.
 *
 * Source: XLSForm reference, "Question names": a name that is referred to is the only one in the form.
 *
 * @param paths of the questions and groups of the form, with dots between their names
 */
export function ambiguousNames(table: Table, paths: Iterable<string>): Finding[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isAmbiguous = (name: string) => (counts.get(name) ?? 0) > 1;
  if (![...counts.values()].some(count => count > 1)) return [];
  return table.rows.flatMap(row =>
    [...row.filled].flatMap(column => {
      const texts = [row.cell(column), ...Object.values(row.texts(column))];
      const names = new Set(texts.flatMap(text => [...text.matchAll(REFERENCE)].map(([, name = '']) => name)));
      return [...names].filter(isAmbiguous).map(name => ({
        sheet: table.sheet,
        row: row.number,
        column,
        message: `\${${name}} could be any of ${counts.get(name)} rows that are called "${name}": give each a name of its own`,
      }));
    }),
  );
}
