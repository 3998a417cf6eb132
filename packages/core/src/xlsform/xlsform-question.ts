import { isNeverShown, questionTypeDef } from '../forms/question-types/question-types.ts';
import type { Choice, Question } from '../forms/definition/form-definition.ts';
import { MAX_TIMER_SECONDS } from '../forms/question-types/timer-value.ts';
import { isWorkedOutDefault } from './worked-out-default.ts';
import { takeDefault } from '../odk/literal-default.ts';
import { rangeProblem } from '../odk/range-problem.ts';
import { readTypeAppearance } from '../odk/type-appearance.ts';
import { appearanceNote } from '../odk/appearance-note.ts';
import type { TableRow } from '../workbook/sheet-table.ts';
import type { RowType } from './xlsform-types.ts';
import { wordsOf } from './xlsform-words.ts';

type QuestionRow = RowType & { kind: 'question' };
/** What is wrong with, or was not taken from, one cell. */
export type CellFinding = { column: string; message: string };

export type ReadQuestion = { question: Question; problems: CellFinding[]; notUnderstood: CellFinding[] };
/** What else the workbook says that a row needs. */
type RowContext = { language: string; choices: readonly Choice[] | undefined };

const YES = new Set(['yes', 'true', 'true()']);
const NO = new Set(['', 'no', 'false', 'false()']);

/** A yes or no, or an expression, as the columns required and read_only have it. */
export function yesNo(cell: string): boolean | string {
  const text = cell.toLowerCase();
  if (YES.has(text)) return true;
  return NO.has(text) ? false : cell;
}

/** Columns of the survey sheet that are read; every other filled cell is reported. */
const READ = new Set(
  `type name label hint required required_message relevant constraint constraint_message calculation default appearance
  choice_filter read_only parameters weight fails fail_when critical allow_na or_other trigger disabled`.split(/\s+/),
);

/** Cells of a row that nothing here reads. */
export const unreadCells = (row: TableRow, read: ReadonlySet<string> = READ): CellFinding[] =>
  [...row.filled]
    .filter(column => !read.has(column))
    .map(column => ({ column, message: 'this column is not supported and was left out' }));

/** One survey row as a question; `choices` are those of its list. Expressions are checked later, with the whole form. */
export function readQuestion(row: TableRow, type: QuestionRow, { language, choices }: RowContext): ReadQuestion {
  const notUnderstood: CellFinding[] = unreadCells(row);
  const problems: CellFinding[] = [];
  const question: Question = {
    type: kindOf(row, type),
    name: row.cell('name'),
    ...texts(row, language),
    ...expressions(row),
    ...(row.cell('trigger') !== '' && { trigger: row.cell('trigger') }),
    ...(type.list !== undefined && { list: type.list }),
    ...((type.orOther || yesNo(row.cell('or_other')) === true) && { or_other: true }),
    ...(row.cell('allow_na') !== '' && { allow_na: yesNo(row.cell('allow_na')) === true }),
  };
  const appearance = row.cell('appearance') || type.appearance;
  if (appearance) question.appearance = appearance;
  readTypeAppearance(question);
  readRequired(row, question, notUnderstood);
  readScoring(row, question, problems);
  readParameters(row, question, type, { problems, notUnderstood });
  readDefault(row, question, { problems, notUnderstood, choices });
  resolveCalculation(question, problems);
  const noted = appearanceNote(question.appearance);
  if (noted) notUnderstood.push({ column: 'appearance', message: noted });
  return { question, problems, notUnderstood };
}

function kindOf(row: TableRow, { type }: QuestionRow): Question['type'] {
  if (type === 'photo' && /\bsignature\b/.test(row.cell('appearance'))) return 'signature';
  // Without a word to show, what is worked out is no question.
  const says = ['label', 'hint'].some(column => Object.keys(row.texts(column)).length > 0);
  const isWorkedOut = row.cell('calculation') !== '' && !questionTypeDef(type).xlsform.isNeverWorkedOut;
  return isWorkedOut && !says && !row.filled.has('media::image') ? 'calculate' : type;
}

/** A value that nobody is asked for: what is worked out, or what it begins as. */
export function hiddenQuestion(row: TableRow): ReadQuestion {
  return readQuestion(row, { kind: 'question', type: 'calculate' }, { language: '', choices: undefined });
}

function resolveCalculation(question: Question, problems: CellFinding[]): void {
  if (!isNeverShown(question.type) || question.calculation !== undefined) return;
  // The trigger empties it; a value it begins as stays.
  if (question.trigger !== undefined) question.calculation = "''";
  else if (question.default !== undefined || question.default_expression !== undefined) question.calculation = '.';
  else problems.push({ column: 'calculation', message: 'a calculate row needs a calculation' });
}

function texts(row: TableRow, language: string): Partial<Question> {
  const columns = ['label', 'hint', 'required_message', 'constraint_message'] as const;
  const read = columns.map(column => [column, wordsOf(row, column, language)] as const);
  return Object.fromEntries(read.filter(([, words]) => words !== undefined));
}

/** As XLSForm reads them: `yes` and the spreadsheet's own TRUE mean true(). Other cells are taken as they are. */
export function expressionCell(row: TableRow, column: string): string {
  const cell = row.cell(column);
  const found = cell === '' ? cell : yesNo(cell);
  return typeof found === 'boolean' ? `${found}()` : found;
}

function expressions(row: TableRow): Partial<Question> {
  const columns = ['relevant', 'constraint', 'calculation', 'choice_filter'] as const;
  return Object.fromEntries(
    columns.map(column => [column, expressionCell(row, column)]).filter(([, source]) => source !== ''),
  );
}

function readRequired(row: TableRow, question: Question, notUnderstood: CellFinding[]): void {
  const required = yesNo(row.cell('required'));
  if (required !== false) question.required = required;
  const readOnly = yesNo(row.cell('read_only'));
  if (readOnly === true) question.read_only = true;
  if (typeof readOnly === 'string') {
    notUnderstood.push({
      column: 'read_only',
      message: 'only yes or no is supported here; the question can be edited',
    });
  }
}

type RowFindings = Omit<ReadQuestion, 'question'>;

function readDefault(row: TableRow, question: Question, found: RowFindings & Pick<RowContext, 'choices'>): void {
  const cell = row.cell('default');
  if (cell === '') return;
  if (isWorkedOutDefault(cell, question.type)) {
    question.default_expression = cell;
    return;
  }
  const wrong = takeDefault(question, cell, found.choices);
  if (!wrong) return;
  if ('problem' in wrong) found.problems.push({ column: 'default', message: wrong.problem });
  else found.notUnderstood.push({ column: 'default', message: wrong.note });
}

/** `start=1 end=10 step=2` of a range, which are its usual ends and step; other parameters by the type of the question. */
function readParameters(row: TableRow, question: Question, type: QuestionRow, found: RowFindings): void {
  const column = 'parameters';
  const cell = row.cell(column);
  const { given, wrong } = parametersIn(cell);
  if (wrong !== undefined) {
    found.problems.push({ column, message: `"${wrong}" is no parameter: those are written name=value` });
    return;
  }
  if (question.type === 'range') readRange(question, given, found.problems);
  if (question.type === 'timer' && given.has('target')) {
    const target = Number(given.get('target'));
    if (target > 0 && target <= MAX_TIMER_SECONDS) question.target_seconds = target;
    else
      found.problems.push({ column, message: `"${given.get('target')}" is no number of seconds to count down from` });
    given.delete('target');
  }
  // Read with the file the choices stand in.
  if (type.file !== undefined) for (const name of ['value', 'label']) given.delete(name);
  for (const [name, value] of given) {
    found.notUnderstood.push({ column, message: `"${name}=${value}" is not supported and was left out` });
  }
}

/** `a=1 b = 2; c=3` by name; `wrong` is the first part that is none of that. */
export function parametersIn(cell: string): { given: Map<string, string>; wrong: string | undefined } {
  const parts = cell
    .replaceAll(/\s*=\s*/g, '=')
    .split(/[\s;,]+/)
    .filter(part => part !== '');
  const pairs = parts.map(part => part.split('='));
  const wrong = parts.find((_, index) => pairs[index]?.length !== 2 || pairs[index].some(side => side === ''));
  return { given: new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value])), wrong };
}

function readRange(question: Question, given: Map<string, string>, problems: CellFinding[]): void {
  const number = (name: string, otherwise: number) => Number(given.get(name) ?? otherwise);
  // Source: ODK, "Range widgets": from 1 to 10 in steps of 1.
  const range = { start: number('start', 1), end: number('end', 10), step: Math.abs(number('step', 1)) };
  const wrong = rangeProblem(range);
  if (wrong === null) question.range = range;
  else problems.push({ column: 'parameters', message: wrong });
  for (const name of ['start', 'end', 'step']) given.delete(name);
}

/** @returns the weight, undefined where the cell is empty, or what is wrong with it */
export function readWeight(row: TableRow): number | string | undefined {
  const cell = row.cell('weight');
  if (cell === '') return undefined;
  const weight = Number(cell);
  return weight >= 0 && weight <= 1000 ? weight : `"${cell}" is no weight from 0 to 1000`;
}

function readScoring(row: TableRow, question: Question, problems: CellFinding[]): void {
  const weight = readWeight(row);
  if (typeof weight === 'string') {
    problems.push({ column: 'weight', message: weight });
    return;
  }
  const fails = row
    .cell('fails')
    .split(/\s+/)
    .filter(name => name !== '');
  const critical = yesNo(row.cell('critical')) === true;
  const failWhen = row.cell('fail_when');
  if (weight === undefined && fails.length === 0 && failWhen === '' && !critical) return;
  question.scoring = {
    weight: weight ?? 1,
    critical,
    ...(fails.length > 0 && { fails }),
    ...(failWhen !== '' && { fail_when: failWhen }),
  };
}
