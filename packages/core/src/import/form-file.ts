import { checkedForm, type ImportResult, refused, wholeFile } from '../odk/checked-form.ts';
import { elsewhereSentence } from '../files/file-kind.ts';
import { isTooDeepJson } from '../files/nesting.ts';
import { importXForm } from '../xform/xform.ts';
import type { ImportOptions } from '../odk/import-around.ts';
import { importXlsForm } from '../xlsform/xlsform.ts';

/**
 * Reads a form from a file: an XLSForm workbook (.xlsx, .xls), an ODK XForm (.xml) or our own JSON, told apart by what is
 * in it. Nothing is stored.
 *
 * @param name the file's name; the title where the form gives none
 */
export async function importFormFile(
  file: ArrayBuffer,
  name: string,
  around: ImportOptions = {},
): Promise<ImportResult> {
  const elsewhere = elsewhereSentence(new Uint8Array(file), name, 'form');
  if (elsewhere !== null) return refused([wholeFile(elsewhere)]);
  const start = new TextDecoder()
    .decode(file.slice(0, 200))
    .replace(/^\uFEFF/, '')
    .trimStart();
  const { beside = [] } = around;
  if (start.startsWith('<')) return importXForm(new TextDecoder().decode(file).replace(/^\uFEFF/, ''), name, beside);
  if (start.startsWith('{')) return importJson(new TextDecoder().decode(file));
  return importXlsForm(file, name, around);
}

function importJson(text: string): ImportResult {
  if (isTooDeepJson(text)) return refused([wholeFile('This file is nested too deeply to be a form.')]);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refused([wholeFile('This file is no JSON: it is damaged, or its end is missing.')]);
  }
  return checkedForm(json, {
    source: 'json',
    sheet: 'form',
    notUnderstood: [],
    placed: ({ path, field, message }) => ({ sheet: 'form', row: null, column: `${path}, ${field}`, message }),
    formId: null,
    formVersion: null,
  });
}
