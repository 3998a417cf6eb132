import { checkedForm, type ImportResult, refused, wholeFile } from './checked-form.ts';
import { isTooDeepJson } from './nesting.ts';
import { importXForm } from './xform.ts';
import { importXlsForm } from './xlsform.ts';

/**
 * Reads a form from a file: an XLSForm workbook (.xlsx, .xls), an ODK XForm (.xml) or our own JSON, told apart by what is
 * in it. Nothing is stored.
 *
 * @param name the file's name; the title where the form gives none
 */
export async function importFormFile(file: ArrayBuffer, name: string): Promise<ImportResult> {
  const start = new TextDecoder()
    .decode(file.slice(0, 200))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('<')) return importXForm(new TextDecoder().decode(file).replace(/^\uFEFF/, ''), name);
  if (start.startsWith('{')) return importJson(new TextDecoder().decode(file));
  return importXlsForm(file, name);
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
    placed: ({ at, message }) => ({ sheet: 'form', row: null, column: at, message }),
    formId: null,
    formVersion: null,
  });
}
