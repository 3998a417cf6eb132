import type { NamedFile } from '../files/form-package.ts';
import type { Choice, FormItem } from '../forms/definition/form-definition.ts';
import { ambiguousNames } from './ambiguous-names.ts';
import { checkedForm, type ImportResult, refused, wholeFile } from '../odk/checked-form.ts';
import type { PlacedProblem } from '../odk/placed-problem.ts';
import { FileLists, lookedUpIn } from './file-lists.ts';
import type { ImportOptions } from '../odk/import-around.ts';
import type { SheetKind } from '../workbook/sheet-columns.ts';
import { type Finding, findingIn, readTable, type Table } from '../workbook/sheet-table.ts';
import { readWorkbook, type Sheet, WorkbookError } from '../workbook/workbook.ts';
import { readChoices } from './xlsform-choices.ts';
import { readFollowUps } from './xlsform-follow-ups.ts';
import { yesNo } from './xlsform-question.ts';
import { readSurvey, type Survey } from './xlsform-survey.ts';
import { wordsOf } from './xlsform-words.ts';

/**
 * Reads an XLSForm workbook (.xlsx or .xls) into a form. Nothing is stored.
 *
 * @param name the file's name; the title where the workbook gives none
 * @returns the form with a report of what was not taken over, or every problem with its sheet, row and column
 */
export async function importXlsForm(
  file: ArrayBuffer,
  name: string,
  { beside = [], onProgress }: ImportOptions = {},
): Promise<ImportResult> {
  try {
    const sheets = await readWorkbook(file, onProgress);
    onProgress?.();
    return readForm(sheets, name.replace(/\.xlsx?$/i, ''), beside);
  } catch (error) {
    if (error instanceof WorkbookError) return refused([wholeFile(error.message)]);
    throw error;
  }
}

/** The sheets of a form by their names; a workbook of one sheet is the survey, whatever that is called. */
function tablesOf(sheets: Sheet[]) {
  const taken = new Set<Sheet>();
  const table = (wanted: string, kind: SheetKind): Table | null => {
    const sheet = sheets.find(({ name }) => name.trim().toLowerCase() === wanted);
    if (sheet) taken.add(sheet);
    return sheet ? readTable(sheet, kind) : null;
  };
  const tables = {
    survey: table('survey', 'survey') ?? onlySurvey(sheets),
    choices: table('choices', 'choices'),
    external: table('external_choices', 'choices'),
    settings: table('settings', 'settings'),
    followUps: table('follow_ups', 'follow_ups'),
  };
  return { ...tables, unread: sheets.length === 1 ? [] : sheets.filter(sheet => !taken.has(sheet)) };
}

/** The one sheet of a workbook, where it has the columns of a survey. */
function onlySurvey([only, ...others]: Sheet[]): Table | null {
  const table = only && others.length === 0 ? readTable(only, 'survey') : null;
  return table?.columns.has('type') ? table : null;
}

type Tables = ReturnType<typeof tablesOf>;

function readForm(sheets: Sheet[], name: string, beside: readonly NamedFile[]): ImportResult {
  const tables = tablesOf(sheets);
  const { survey, settings: settingsTable } = tables;
  if (!survey) return refused([wholeFile('This workbook has no sheet called "survey", so it is not a form.')]);
  if (!survey.columns.has('type')) {
    const message = 'The survey sheet has no column called "type".';
    return refused([{ sheet: survey.sheet, row: null, column: null, message }]);
  }
  const named = [survey, tables.choices, tables.external].flatMap(table => table?.languages ?? []);
  const languages = languagesOf(named, settingsTable?.rows[0]?.cell('default_language') ?? '');
  const language = languages[0] ?? 'default';
  const duplicates = yesNo(settingsTable?.rows[0]?.cell('allow_choice_duplicates') ?? '') === true;
  const choices = readChoices(tables.choices, { language, duplicates });
  const external = readChoices(tables.external, { language, duplicates: true });
  const lists = new FileLists({ ...external.lists, ...choices.lists }, beside);
  const read = readSurvey(survey, lists, language);
  lists.takeNamed(lookedUpIn(read.items));
  const asked = readFollowUps(tables.followUps, read.items, language);
  const settings = readSettings(settingsTable, name, language);
  const spaced = choices.spaced.filter(({ list }) => read.listsOfSeveral.has(list)).map(({ finding }) => finding);
  const ambiguous = ambiguousNames(survey, read.rows.keys());
  const problems = [...[settings, choices, external, read, asked].flatMap(part => part.problems), ...ambiguous];
  if (problems.length > 0 || spaced.length > 0) return refused([...problems, ...spaced]);
  const draft = draftOf(settings, languages, { lists: lists.all, items: read.items });
  const notUnderstood = [settings, choices, external, read, asked].flatMap(part => part.notUnderstood);
  return checked(draft, { survey: read, tables, notUnderstood: [...lostIn(tables), ...notUnderstood], settings });
}

function draftOf(
  { title, percent, sign, presence }: ReturnType<typeof readSettings>,
  languages: readonly string[],
  { lists, items }: { lists: Readonly<Record<string, Choice[]>>; items: readonly FormItem[] },
) {
  return {
    format: 1,
    title,
    languages,
    choice_lists: lists,
    ...(percent !== null && { pass_percent: percent }),
    ...(sign && { sign }),
    ...(presence !== null && { presence }),
    items,
  };
}

/** Sheets that were not read and have something in them, and columns whose name another has; by custom `_` hides a sheet. */
function lostIn({ survey, choices, external, settings, followUps, unread }: Tables): Finding[] {
  const doubled = [survey, choices, external, settings, followUps].flatMap(table => table?.doubled ?? []);
  const filled = unread.filter(
    ({ name, rows }) => !name.startsWith('_') && rows.some(row => row.some(cell => cell !== '')),
  );
  const losses = filled.map(({ name }) => ({
    sheet: name,
    row: null,
    column: null,
    message: /^entities$/i.test(name.trim())
      ? 'this sheet was not read: Cairn keeps no entities; what is inspected stands in its register'
      : 'this sheet was not read',
  }));
  return [...losses, ...doubled];
}

type Parts = {
  survey: Survey;
  tables: Tables;
  notUnderstood: Finding[];
  settings: ReturnType<typeof readSettings>;
};

function checked(draft: unknown, { survey, tables, notUnderstood, settings }: Parts): ImportResult {
  const sheet = tables.survey?.sheet ?? '';
  const placed = ({ path, field, message }: PlacedProblem): Finding => ({
    sheet,
    row: survey.rows.get(path) ?? null,
    column: COLUMN_OF[field] ?? field,
    message: withReason(message, survey.leftOut),
  });
  const { formId, version: formVersion } = settings;
  return checkedForm(draft, { source: 'xlsform', sheet, notUnderstood, placed, formId, formVersion });
}

const COLUMN_OF: Readonly<Record<string, string>> = { count: 'repeat_count' };

/** A reference to a row that was left out is explained by that row, one to a list by its file. */
function withReason(message: string, leftOut: ReadonlyMap<string, number>): string {
  const named = /^there is no question "(?:last-saved#)?([^"]+)"/.exec(message)?.[1] ?? '';
  const row = leftOut.get(named);
  if (row !== undefined) return `${message}; its row ${row} cannot be imported`;
  const list = /^there is no list "([^"]+)"/.exec(message)?.[1];
  return list === undefined
    ? message
    : `${message}; if it stands in a file (${list}.csv), choose that together with the form`;
}

const SETTINGS = new Set([
  'form_title',
  'form_id',
  'version',
  'default_language',
  'allow_choice_duplicates',
  'pass_percent',
  'sign',
  'presence',
]);

/** Ours: whether a proof of presence is asked for. */
const PRESENCE = new Set(['asked', 'required']);

function readSettings(table: Table | null, name: string, language: string) {
  const row = table?.rows[0];
  const cell = (column: string): string => row?.cell(column) ?? '';
  const found = findingIn(table, row);
  const formId = cell('form_id') || null;
  const percent = cell('pass_percent') === '' ? null : Number(cell('pass_percent'));
  const isOdd = !['', 'off'].includes(cell('presence')) && !PRESENCE.has(cell('presence'));
  const unread = [...(row?.filled ?? [])].filter(column => !SETTINGS.has(column) || (column === 'presence' && isOdd));
  return {
    title: (row && wordsOf(row, 'form_title', language)) || formId || name || 'Form',
    formId,
    version: cell('version') || null,
    percent,
    sign: yesNo(cell('sign')) === true,
    presence: PRESENCE.has(cell('presence')) ? cell('presence') : null,
    problems:
      percent === null || (percent >= 0 && percent <= 100)
        ? []
        : [found('pass_percent', `"${cell('pass_percent')}" is no percentage`)],
    notUnderstood: unread.map(column => found(column, 'this setting is not supported and was left out')),
  };
}

/** The form's languages, its default first; none where no column names one. */
function languagesOf(found: readonly string[], wanted: string): string[] {
  const named = [...new Set(found)].filter(language => language !== '');
  if (named.length === 0) return [];
  const first = wanted || (found.includes('') ? 'default' : (named[0] ?? ''));
  return [first, ...named.filter(language => language !== first)];
}
