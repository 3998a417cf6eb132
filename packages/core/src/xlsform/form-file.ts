import writeSheets from 'write-excel-file/universal';
import type { FormDefinition } from '../forms/definition/form-definition.ts';
import { xlsFormSheets } from './xlsform-sheets.ts';

/** A form as an XLSForm workbook (.xlsx), which our importer and other programs of the ODK family read. */
export function xlsFormFile(form: FormDefinition): Promise<Blob> {
  const sheets = xlsFormSheets(form).map(({ name, columns, rows }) => ({
    sheet: name,
    stickyRowsCount: 1,
    data: [
      columns.map(column => ({ value: column, fontWeight: 'bold' as const })),
      ...rows.map(cells => columns.map(column => cells[column] ?? null)),
    ],
  }));
  return writeSheets(sheets).toBlob();
}

/** A form as JSON that our importer reads: everything there is in it, for people who write programs. */
export const formJson = (form: FormDefinition): string => `${JSON.stringify(form, null, 2)}\n`;
