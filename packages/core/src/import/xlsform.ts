import type { CompileProblem } from '../field-ops/compiled-form.ts';
import { checkedForm, type ImportResult, refused, wholeFile } from './checked-form.ts';
import { type Finding, findingIn, readTable, type Table } from './sheet-table.ts';
import { readWorkbook, type Sheet, WorkbookError } from './workbook.ts';
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
export async function importXlsForm(file: ArrayBuffer, name: string): Promise<ImportResult> {
  try {
    return readForm(await readWorkbook(file), name.replace(/\.xlsx?$/i, ''));
  } catch (error) {
    if (error instanceof WorkbookError) return refused([wholeFile(error.message)]);
    throw error;
  }
}

function readForm(sheets: Sheet[], name: string): ImportResult {
  const table = (wanted: string): Table | null => {
    const sheet = sheets.find(candidate => candidate.name.trim().toLowerCase() === wanted);
    return sheet ? readTable(sheet) : null;
  };
  const survey = table('survey');
  if (!survey) return refused([wholeFile('This workbook has no sheet called "survey", so it is not a form.')]);
  if (!survey.columns.has('type')) {
    const message = 'The survey sheet has no column called "type".';
    return refused([{ sheet: survey.sheet, row: null, column: null, message }]);
  }
  const settingsTable = table('settings');
  const languages = languagesOf(survey.languages, settingsTable?.rows[0]?.cell('default_language') ?? '');
  const language = languages[0] ?? 'default';
  const duplicates = yesNo(settingsTable?.rows[0]?.cell('allow_choice_duplicates') ?? '') === true;
  const choices = readChoices(table('choices'), { language, duplicates });
  const read = readSurvey(survey, choices.lists, language);
  const asked = readFollowUps(table('follow_ups'), read.items, language);
  const settings = readSettings(settingsTable, name, language);
  const spaced = choices.spaced.filter(({ list }) => read.listsOfSeveral.has(list)).map(({ finding }) => finding);
  const problems = [...settings.problems, ...choices.problems, ...spaced, ...read.problems, ...asked.problems];
  if (problems.length > 0) return refused(problems);

  const { title, percent, sign, presence } = settings;
  const draft = {
    format: 1,
    title,
    languages,
    choice_lists: choices.lists,
    ...(percent !== null && { pass_percent: percent }),
    ...(sign && { sign }),
    ...(presence !== null && { presence }),
    items: read.items,
  };
  const notUnderstood = [settings, choices, read, asked].flatMap(part => part.notUnderstood);
  return checked(draft, { survey: read, sheet: survey.sheet, notUnderstood, settings });
}

type Parts = { survey: Survey; sheet: string; notUnderstood: Finding[]; settings: ReturnType<typeof readSettings> };

function checked(draft: unknown, { survey, sheet, notUnderstood, settings }: Parts): ImportResult {
  const placed = ({ path, field, message }: CompileProblem): Finding => ({
    sheet,
    row: survey.rows.get(path) ?? null,
    column: field === 'count' ? 'repeat_count' : field,
    message: withReason(message, survey.leftOut),
  });
  const { formId, version: formVersion } = settings;
  return checkedForm(draft, { source: 'xlsform', sheet, notUnderstood, placed, formId, formVersion });
}

/** A reference to a row that was left out is explained by that row. */
function withReason(message: string, leftOut: ReadonlyMap<string, number>): string {
  const named = /^there is no question "([^"]+)"/.exec(message)?.[1] ?? '';
  const row = leftOut.get(named);
  return row === undefined ? message : `${message}; its row ${row} cannot be imported`;
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
  const named = found.filter(language => language !== '');
  if (named.length === 0) return [];
  const first = wanted || (found.includes('') ? 'default' : (named[0] ?? ''));
  return [first, ...named.filter(language => language !== first)];
}
