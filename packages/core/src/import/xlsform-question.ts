import type { Question } from '../field-ops/form-definition.ts';
import type { TableRow } from './sheet-table.ts';
import type { RowType } from './xlsform-types.ts';
import { wordsOf } from './xlsform-words.ts';

type QuestionRow = RowType & { kind: 'question' };
/** What is wrong with, or was not taken from, one cell. */
export type CellFinding = { column: string; message: string };

export type ReadQuestion = { question: Question; problems: CellFinding[]; notUnderstood: CellFinding[] };

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
  'type,name,label,hint,required,required_message,relevant,constraint,constraint_message,calculation,default,appearance,choice_filter,read_only,weight,fails,critical'.split(
    ',',
  ),
);

/** Cells of a row that nothing here reads. */
export const unreadCells = (row: TableRow): CellFinding[] =>
  [...row.filled]
    .filter(column => !READ.has(column))
    .map(column => ({ column, message: 'this column is not supported and was left out' }));

/** One survey row as a question. Expressions are checked later, with the whole form. */
export function readQuestion(row: TableRow, type: QuestionRow, language: string): ReadQuestion {
  const notUnderstood: CellFinding[] = unreadCells(row);
  const problems: CellFinding[] = [];
  const signs = type.type === 'photo' && /\bsignature\b/.test(row.cell('appearance'));
  const question: Question = {
    type: signs ? 'signature' : type.type,
    name: row.cell('name'),
    ...texts(row, language),
    ...expressions(row),
    ...(type.list !== undefined && { list: type.list }),
    ...(type.orOther && { or_other: true }),
  };
  const appearance = row.cell('appearance') || type.appearance;
  if (appearance) question.appearance = appearance;
  readRequired(row, question, notUnderstood);
  readDefault(row, question, { problems, notUnderstood });
  readScoring(row, question, problems);
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

/** A function call or a reference: worked out each time, not a value that stands in the cell. */
const DYNAMIC = /\$\{|^[\w:-]+\(.*\)$/;

function readDefault(row: TableRow, question: Question, found: Omit<ReadQuestion, 'question'>): void {
  const cell = row.cell('default');
  if (cell === '') return;
  const column = 'default';
  if (DYNAMIC.test(cell)) {
    found.notUnderstood.push({
      column,
      message: `"${cell}" is worked out and not supported here; the question starts empty`,
    });
  } else if (question.type === 'integer' || question.type === 'decimal') {
    const value = Number(cell);
    if (Number.isFinite(value)) question.default = value;
    else found.problems.push({ column, message: `"${cell}" is no number` });
  } else question.default = question.type === 'select_multiple' ? cell.split(/\s+/) : cell;
}

function readScoring(row: TableRow, question: Question, problems: CellFinding[]): void {
  const cell = row.cell('weight');
  const weight = cell === '' ? 1 : Number(cell);
  if (!(weight >= 0 && weight <= 1000)) {
    problems.push({ column: 'weight', message: `"${cell}" is no weight from 0 to 1000` });
    return;
  }
  const fails = row
    .cell('fails')
    .split(/\s+/)
    .filter(name => name !== '');
  const critical = yesNo(row.cell('critical')) === true;
  if (cell === '' && fails.length === 0 && !critical) return;
  question.scoring = { weight, critical, ...(fails.length > 0 && { fails }) };
}
