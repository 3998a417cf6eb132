import type { Sheet } from './workbook.ts';

/**
 * Something in a file and where: `row` as the spreadsheet program numbers it, or the line of a text file, whose `sheet` is
 * empty.
 */
export type Finding = { sheet: string; row: number | null; column: string | null; message: string };

/** What finds something in a row of a table, at a column; without a row: in the table as a whole. */
export const findingIn =
  (table: Table | null, row: TableRow | undefined) =>
  (column: string, message: string): Finding => ({
    sheet: table?.sheet ?? '',
    row: row?.number ?? null,
    column,
    message,
  });

/** Where and what, as one line: `survey row 5, calculation: unknown function foo()`. */
export function findingText({ sheet, row, column, message }: Finding): string {
  const line = row !== null && sheet === '' ? `line ${row}` : null;
  const place = [line ?? (row === null ? sheet : `${sheet} row ${row}`), column].filter(
    part => part !== null && part !== '',
  );
  return place.length > 0 ? `${place.join(', ')}: ${message}` : message;
}

export type TableRow = {
  /** As the spreadsheet program numbers it. */
  number: number;
  /** The cell of a column without languages; empty where there is none. */
  cell(column: string): string;
  /** The cells of a column with languages, those that are not empty; a column without one has the language ''. */
  texts(column: string): Record<string, string>;
  /** Columns that hold something in this row, languages left out. */
  filled: ReadonlySet<string>;
};

export type Table = { sheet: string; columns: ReadonlySet<string>; languages: readonly string[]; rows: TableRow[] };

/** Other spellings that XLSForm has or had. */
const ALIASES: Record<string, string> = {
  command: 'type',
  caption: 'label',
  relevance: 'relevant',
  calculate: 'calculation',
  list: 'list_name',
  value: 'name',
  readonly: 'read_only',
  image: 'media::image',
  audio: 'media::audio',
  video: 'media::video',
  title: 'form_title',
  set_form_title: 'form_title',
  set_form_id: 'form_id',
  constraint_msg: 'constraint_message',
  'jr:constraintmsg': 'constraint_message',
  'jr:requiredmsg': 'required_message',
  'jr:count': 'repeat_count',
};

/** Columns that are written in any letter case; others are an author's own, e.g. for choice filters. */
const KNOWN = new Set(
  `type name label hint required required_message relevant constraint constraint_message calculation default appearance
  choice_filter read_only parameters repeat_count weight fails fail_when critical allow_na or_other guidance_hint list_name
  score media::image media::audio media::video form_title form_id version default_language allow_choice_duplicates
  pass_percent sign presence question when action action_title photo note priority due_in_days media bind instance body`.split(
    /\s+/,
  ),
);

const TRANSLATED = new Set([
  'form_title',
  'action_title',
  'label',
  'hint',
  'constraint_message',
  'required_message',
  'guidance_hint',
]);

type Column = { name: string; language: string };

/** Reads a sheet whose first filled row names its columns. `list name`, `list_name` and `List Name` are one column. */
export function readTable(sheet: Sheet): Table {
  const headerAt = sheet.rows.findIndex(row => row.some(cell => cell !== ''));
  const columns = (sheet.rows[headerAt] ?? []).map(readColumn);
  const rows = sheet.rows
    .map((cells, index) => ({ cells, number: index + 1 }))
    .slice(headerAt + 1)
    .filter(({ cells }) => headerAt >= 0 && cells.some(cell => cell !== ''));
  return {
    sheet: sheet.name,
    columns: new Set(columns.map(({ name }) => name)),
    languages: [...new Set(columns.filter(({ name }) => name === 'label').map(({ language }) => language))],
    rows: rows.map(({ cells, number }) => tableRow(columns, cells, number)),
  };
}

function readColumn(header: string): Column {
  const [first = '', ...rest] = header.includes('::') ? header.split('::') : header.split(':');
  const name = canonical(first);
  const after = rest.join(':').trim();
  if (rest.length === 0) return { name, language: '' };
  if (name === 'bind') return { name: canonical(after), language: '' };
  if (name === 'media') return { name: `media::${after.replace(/:.*/, '').trim().toLowerCase()}`, language: '' };
  return TRANSLATED.has(name) ? { name, language: after } : { name: `${name}::${after}`, language: '' };
}

function canonical(text: string): string {
  const name = text.trim().toLowerCase().replaceAll(/\s+/g, '_');
  const known = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
  return KNOWN.has(known) ? known : text.trim();
}

function tableRow(columns: Column[], cells: string[], number: number): TableRow {
  const present = columns
    .map((column, index) => ({ ...column, text: cells[index] ?? '' }))
    .filter(({ name, text }) => name !== '' && text !== '');
  return {
    number,
    cell: column => present.find(({ name }) => name === column)?.text ?? '',
    texts: column =>
      Object.fromEntries(present.filter(({ name }) => name === column).map(({ language, text }) => [language, text])),
    filled: new Set(present.map(({ name }) => name)),
  };
}
