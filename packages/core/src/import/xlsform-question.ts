import { parseExpression } from '../field-ops/expression-syntax.ts';
import { ExpressionError } from '../field-ops/expression-tokens.ts';
import type { Choice, Question } from '../field-ops/form-definition.ts';
import { MOST_SECONDS } from '../field-ops/timer.ts';
import { takeDefault } from './literal-default.ts';
import { readTimer } from './timer-appearance.ts';
import { appearanceNote } from './appearance-note.ts';
import type { TableRow } from './sheet-table.ts';
import type { RowType } from './xlsform-types.ts';
import { wordsOf } from './xlsform-words.ts';

type QuestionRow = RowType & { kind: 'question' };
/** What is wrong with, or was not taken from, one cell. */
export type CellFinding = { column: string; message: string };

export type ReadQuestion = { question: Question; problems: CellFinding[]; notUnderstood: CellFinding[] };
/** What else the workbook says that a row needs. */
type Around = { language: string; choices: readonly Choice[] | undefined };

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
  choice_filter read_only parameters weight fails fail_when critical allow_na or_other`.split(/\s+/),
);

/** Cells of a row that nothing here reads. */
export const unreadCells = (row: TableRow, read: ReadonlySet<string> = READ): CellFinding[] =>
  [...row.filled]
    .filter(column => !read.has(column))
    .map(column => ({ column, message: 'this column is not supported and was left out' }));

/** One survey row as a question; `choices` are those of its list. Expressions are checked later, with the whole form. */
export function readQuestion(row: TableRow, type: QuestionRow, { language, choices }: Around): ReadQuestion {
  const notUnderstood: CellFinding[] = unreadCells(row);
  const problems: CellFinding[] = [];
  const signs = type.type === 'photo' && /\bsignature\b/.test(row.cell('appearance'));
  const question: Question = {
    type: signs ? 'signature' : type.type,
    name: row.cell('name'),
    ...texts(row, language),
    ...expressions(row),
    ...(type.list !== undefined && { list: type.list }),
    ...((type.orOther || yesNo(row.cell('or_other')) === true) && { or_other: true }),
    ...(row.cell('allow_na') !== '' && { allow_na: yesNo(row.cell('allow_na')) === true }),
  };
  const appearance = row.cell('appearance') || type.appearance;
  if (appearance) question.appearance = appearance;
  readTimer(question);
  readRequired(row, question, notUnderstood);
  readScoring(row, question, problems);
  readParameters(row, question, { problems, notUnderstood });
  readDefault(row, question, { problems, notUnderstood, choices });
  const noted = appearanceNote(question.appearance);
  if (noted) notUnderstood.push({ column: 'appearance', message: noted });
  return { question, problems, notUnderstood };
}

function texts(row: TableRow, language: string): Partial<Question> {
  const columns = ['label', 'hint', 'required_message', 'constraint_message'] as const;
  const read = columns.map(column => [column, wordsOf(row, column, language)] as const);
  return Object.fromEntries(read.filter(([, words]) => words !== undefined));
}

function expressions(row: TableRow): Partial<Question> {
  const columns = ['relevant', 'constraint', 'calculation', 'choice_filter'] as const;
  return Object.fromEntries(columns.map(column => [column, row.cell(column)]).filter(([, source]) => source !== ''));
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

/** A function call or a reference: worked out, not a value that stands in the cell. */
const DYNAMIC = /\$\{|(?:^|[\s(,+*<>=-])[a-z][\w:-]*\([^)]*\)/i;

function isDynamic(cell: string): boolean {
  if (!DYNAMIC.test(cell)) return false;
  try {
    parseExpression(cell);
    return true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

type Found = Omit<ReadQuestion, 'question'>;

function readDefault(row: TableRow, question: Question, found: Found & Pick<Around, 'choices'>): void {
  const cell = row.cell('default');
  if (cell === '') return;
  if (isDynamic(cell)) {
    question.default_expression = cell;
    return;
  }
  const wrong = takeDefault(question, cell, found.choices);
  if (!wrong) return;
  if ('problem' in wrong) found.problems.push({ column: 'default', message: wrong.problem });
  else found.notUnderstood.push({ column: 'default', message: wrong.note });
}

/** `start=1 end=10 step=2` of a range; its ends and step are 0, 10 and 1 where it says nothing. */
function readParameters(row: TableRow, question: Question, found: Found): void {
  const column = 'parameters';
  const pairs = [...row.cell(column).matchAll(/([\w-]+)\s*=\s*([^\s;,]+)/g)];
  const given = new Map(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  if (question.type === 'range') {
    const number = (name: string, otherwise: number) => Number(given.get(name) ?? otherwise);
    const range = { start: number('start', 0), end: number('end', 10), step: number('step', 1) };
    const sound = Object.values(range).every(Number.isFinite) && range.start < range.end && range.step > 0;
    if (sound) question.range = range;
    else found.problems.push({ column, message: `"${row.cell(column)}" is no range from a start to an end above it` });
    for (const name of ['start', 'end', 'step']) given.delete(name);
  }
  if (question.type === 'timer' && given.has('target')) {
    const target = Number(given.get('target'));
    if (target > 0 && target <= MOST_SECONDS) question.target_seconds = target;
    else
      found.problems.push({ column, message: `"${given.get('target')}" is no number of seconds to count down from` });
    given.delete('target');
  }
  for (const [name, value] of given) {
    found.notUnderstood.push({ column, message: `"${name}=${value}" is not supported and was left out` });
  }
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
