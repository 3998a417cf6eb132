import type { Words } from '../forms/definition/form-definition.ts';
import type { TableRow } from '../workbook/sheet-table.ts';

/** A text column with its languages; one text where the sheet names no language. */
export function wordsOf(row: TableRow, column: string, defaultLanguage: string): Words | undefined {
  const { '': plain, ...translated } = row.texts(column);
  if (Object.keys(translated).length === 0) return plain;
  return plain === undefined ? translated : { [defaultLanguage]: plain, ...translated };
}
