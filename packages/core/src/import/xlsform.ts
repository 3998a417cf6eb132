import { compileForm, type CompileProblem } from '../field-ops/compiled-form.ts';
import { type FormDefinition, type FormItem, parseFormDefinition } from '../field-ops/form-definition.ts';
import { type Finding, readTable, type Table } from './sheet-table.ts';
import { readWorkbook, type Sheet, WorkbookError } from './workbook.ts';
import { readChoices } from './xlsform-choices.ts';
import { yesNo } from './xlsform-question.ts';
import { readSurvey, type Survey } from './xlsform-survey.ts';

export type ImportedForm = {
  ok: true;
  form: FormDefinition;
  /** form_id and version of the settings sheet, for the record; null where it has none. */
  formId: string | null;
  formVersion: string | null;
  title: string;
  /** Questions a person can be asked: without notes and calculations. */
  questions: number;
  /** Everything in the workbook that was not taken over, and why. */
  notUnderstood: Finding[];
};

/** Why nothing was imported. */
export type RefusedForm = { ok: false; problems: Finding[] };

export type ImportResult = ImportedForm | RefusedForm;

const refused = (problems: Finding[]): RefusedForm => ({ ok: false, problems });
const whole = (message: string): Finding => ({ sheet: '', row: null, column: null, message });

/**
 * Reads an XLSForm workbook (.xlsx) into a form. Nothing is stored.
 *
 * @param name the file's name; the title where the workbook gives none
 * @returns the form with a report of what was not taken over, or every problem with its sheet, row and column
 */
export async function importXlsForm(file: ArrayBuffer, name: string): Promise<ImportResult> {
  try {
    return readForm(await readWorkbook(file), name.replace(/\.xlsx$/i, ''));
  } catch (error) {
    if (error instanceof WorkbookError) return refused([whole(error.message)]);
    throw error;
  }
}

function readForm(sheets: Sheet[], name: string): ImportResult {
  const table = (wanted: string): Table | null => {
    const sheet = sheets.find(candidate => candidate.name.trim().toLowerCase() === wanted);
    return sheet ? readTable(sheet) : null;
  };
  const survey = table('survey');
  if (!survey) return refused([whole('This workbook has no sheet called "survey", so it is not a form.')]);
  if (!survey.columns.has('type')) {
    const message = 'The survey sheet has no column called "type".';
    return refused([{ sheet: survey.sheet, row: null, column: null, message }]);
  }
  const settings = readSettings(table('settings'), name);
  const languages = settings.languagesOf(survey.languages);
  const language = languages[0] ?? 'default';
  const choices = readChoices(table('choices'), { language, duplicates: settings.duplicates });
  const read = readSurvey(survey, choices.lists, language);
  const problems = [...choices.problems, ...read.problems];
  if (problems.length > 0) return refused(problems);

  const draft = { format: 1, title: settings.title, languages, choice_lists: choices.lists, items: read.items };
  const notUnderstood = [...settings.notUnderstood, ...choices.notUnderstood, ...read.notUnderstood];
  return checked(draft, { survey: read, sheet: survey.sheet, notUnderstood, settings });
}

type Parts = { survey: Survey; sheet: string; notUnderstood: Finding[]; settings: ReturnType<typeof readSettings> };

function checked(draft: unknown, { survey, sheet, notUnderstood, settings }: Parts): ImportResult {
  const parsed = parseFormDefinition(draft);
  if (!parsed.ok) {
    return refused(parsed.problems.map(({ at, message }) => ({ sheet, row: null, column: at, message })));
  }
  const finding = ({ path, field, message }: CompileProblem): Finding => ({
    sheet,
    row: survey.rows.get(path) ?? null,
    column: field,
    message: withReason(message, survey.leftOut),
  });
  const compiled = compileForm(parsed.form);
  if (!compiled.ok) return refused(compiled.problems.map(finding));
  const questions = countQuestions(parsed.form.items);
  if (questions === 0)
    return refused([{ sheet, row: null, column: null, message: 'there is no question in this form' }]);
  return {
    ok: true,
    form: parsed.form,
    formId: settings.formId,
    formVersion: settings.version,
    title: settings.title,
    questions,
    notUnderstood: [...notUnderstood, ...compiled.notices.map(finding)].toSorted(byRow),
  };
}

/** A reference to a row that was left out is explained by that row. */
function withReason(message: string, leftOut: ReadonlyMap<string, number>): string {
  const named = /^there is no question "([^"]+)"/.exec(message)?.[1] ?? '';
  const row = leftOut.get(named);
  return row === undefined ? message : `${message}; its row ${row} cannot be imported`;
}

const byRow = (a: Finding, b: Finding): number => a.sheet.localeCompare(b.sheet) || (a.row ?? 0) - (b.row ?? 0);

function countQuestions(items: readonly FormItem[]): number {
  return items.reduce((count, item) => {
    if (item.type === 'group') return count + countQuestions(item.items);
    return item.type === 'note' || item.type === 'calculate' ? count : count + 1;
  }, 0);
}

const SETTINGS = new Set(['form_title', 'form_id', 'version', 'default_language', 'allow_choice_duplicates']);

function readSettings(table: Table | null, name: string) {
  const row = table?.rows[0];
  const cell = (column: string): string => row?.cell(column) ?? '';
  const formId = cell('form_id') || null;
  const unread = [...(row?.filled ?? [])].filter(column => !SETTINGS.has(column));
  return {
    title: cell('form_title') || formId || name || 'Form',
    formId,
    version: cell('version') || null,
    duplicates: yesNo(cell('allow_choice_duplicates')) === true,
    notUnderstood: unread.map((column): Finding => ({
      sheet: table?.sheet ?? '',
      row: row?.number ?? null,
      column,
      message: 'this setting is not supported and was left out',
    })),
    /** The form's languages, its default first; none where no column names one. */
    languagesOf(found: readonly string[]): string[] {
      const named = found.filter(language => language !== '');
      if (named.length === 0) return [];
      const first = cell('default_language') || (found.includes('') ? 'default' : (named[0] ?? ''));
      return [first, ...named.filter(language => language !== first)];
    },
  };
}
