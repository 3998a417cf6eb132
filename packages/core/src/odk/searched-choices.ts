import type { NamedFile } from '../files/form-package.ts';
import type { Choice } from '../forms/definition/form-definition.ts';
import type { Words } from '../forms/definition/words.ts';
import { fileKey, furtherColumns, type ListRow, readListFile } from './list-file.ts';

/** An appearance that takes choices from a file while they are asked. */
const SEARCHED = /\bsearch\s*\([^)]*\)?/;
const WHOLE_FILE = /^search\s*\(\s*(?:'([^']+)'|"([^"]+)")\s*\)$/;

/** What `search()` in an appearance asks for: all rows of a file, or something that is not supported. */
type ChoiceSearch = { file: string; appearance: string } | { unsupported: string };

/**
 * Reads `search('places')` out of an appearance.
 *
 * @returns the file it names and what else the appearance says; null where nothing is searched
 */
export function searchedIn(appearance: string): ChoiceSearch | null {
  const call = SEARCHED.exec(appearance)?.[0];
  if (call === undefined) return null;
  const [, single, double] = WHOLE_FILE.exec(call) ?? [];
  const name = single ?? double;
  if (name === undefined) return { unsupported: searchedReason(call) };
  const file = /\.csv$/i.test(name) ? name : `${name}.csv`;
  return { file, appearance: appearance.replace(call, ' ').replaceAll(/\s+/g, ' ').trim() };
}

const searchedReason = (call: string): string =>
  `its choices are searched in a file by a condition (${call}), which is not supported: the question was left out; select_one_from_file with a choice_filter takes such a file`;

const isFixed = ({ name }: Choice): boolean => /^\d+$/.test(name);

/**
 * The choices of `search('places')`: those of the form whose names are whole numbers, as they are, and one for each row of
 * the file. The one other row of the form's own list names the columns that names and labels are taken from.
 *
 * Source: ODK, "Customizing forms": the columns of a label may be several, with commas between them.
 */
export function searchedChoices(
  own: readonly Choice[],
  { file, beside }: { file: string; beside: readonly NamedFile[] },
): Choice[] | { problem: string } {
  const [columns, ...others] = own.filter(choice => !isFixed(choice));
  if (!columns || others.length > 0)
    return { problem: 'a list that is searched in a file has one row that names the columns of that file' };
  const found = beside.find(({ name }) => fileKey(name) === fileKey(file));
  if (!found)
    return { problem: `search() takes its choices from the file "${file}": choose that file together with the form` };
  const read = readListFile({ ...found, name: file });
  if ('problem' in read) return read;
  const named = [columns.name, ...labelColumns(columns.label)];
  const missing = named.find(column => !read.rows.some(row => row.has(column)));
  if (missing !== undefined) return { problem: `"${file}" has no column "${missing}" to take choices from` };
  const rows = read.rows.filter(row => row.get(columns.name));
  return [...own.filter(isFixed), ...rows.map(row => choiceOf(row, columns))];
}

const columnsIn = (text: string): string[] => text.split(',').map(column => column.trim());
const labelColumns = (label: Words | undefined): string[] =>
  (typeof label === 'string' ? [label] : Object.values(label ?? {})).flatMap(columnsIn);
const textFrom = (row: ListRow, text: string): string =>
  columnsIn(text)
    .map(column => row.get(column) ?? '')
    .join(', ');

function choiceOf(row: ListRow, { name, label }: Choice): Choice {
  const words =
    typeof label === 'object'
      ? Object.fromEntries(Object.entries(label).map(([language, text]) => [language, textFrom(row, text)]))
      : textFrom(row, label ?? name);
  return { name: (row.get(name) ?? '').slice(0, 200), label: words, ...furtherColumns(row) };
}
