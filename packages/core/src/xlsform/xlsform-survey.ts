import { MAX_FORM_DEPTH, TOO_DEEP } from '../forms/definition/form-depth.ts';
import type { FormItem, Group, Question } from '../forms/definition/form-definition.ts';
import { takesSeveral } from '../forms/question-types/question-types.ts';
import type { Finding, Table, TableRow } from '../workbook/sheet-table.ts';
import type { FileLists } from './file-lists.ts';
import { searchedIn } from '../odk/searched-choices.ts';
import {
  type CellFinding,
  expressionCell,
  hiddenQuestion,
  readQuestion,
  readWeight,
  unreadCells,
  yesNo,
} from './xlsform-question.ts';
import { readType, type RowType } from './xlsform-types.ts';
import { wordsOf } from './xlsform-words.ts';

export type Survey = {
  items: FormItem[];
  /** Sheet rows by the path of what they made. */
  rows: Map<string, number>;
  /** Rows that made nothing, by their name. */
  leftOut: Map<string, number>;
  /** Lists of which several choices are one answer. */
  listsOfSeveral: Set<string>;
  problems: Finding[];
  notUnderstood: Finding[];
};

type QuestionType = RowType & { kind: 'question' };
type OpenGroup = { kind: 'group' | 'repeat'; group: Group; row: number };

const NAME = /^(?!__proto__$)[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Reads the rows of the survey sheet, one by one, into sections and questions. */
export function readSurvey(table: Table, lists: FileLists, language: string): Survey {
  const reader = new SurveyReader(table.sheet, lists, language);
  for (const row of table.rows) reader.row(row);
  reader.end();
  return reader.survey;
}

class SurveyReader {
  readonly survey: Survey = {
    items: [],
    rows: new Map(),
    leftOut: new Map(),
    listsOfSeveral: new Set(),
    problems: [],
    notUnderstood: [],
  };
  private readonly open: OpenGroup[] = [];
  /** Lists that `search()` takes columns of a file from, and the rows of questions that take a list as it is. */
  private readonly searchedLists = new Set<string>();
  private readonly listRows: { list: string; row: TableRow }[] = [];
  private readonly sheet: string;
  private readonly lists: FileLists;
  private readonly language: string;

  constructor(sheet: string, lists: FileLists, language: string) {
    this.sheet = sheet;
    this.lists = lists;
    this.language = language;
  }

  row(given: TableRow): void {
    const row = named(given);
    const cell = row.cell('type');
    if (cell === '') return this.leave(row, { column: 'type', message: 'this row has no type and was left out' });
    if (yesNo(row.cell('disabled')) === true)
      return this.leave(row, { column: 'disabled', message: 'this row is disabled and was left out' });
    const type = readType(cell);
    if (type.kind === 'end repeat') return this.close(row, 'repeat');
    if (type.kind === 'end group') return this.close(row, 'group');
    if (type.kind === 'unsupported') return this.leave(row, { column: 'type', message: type.why });
    if (!this.hasName(row)) return;
    if (type.kind === 'begin group') this.begin(row, 'group');
    else if (type.kind === 'begin repeat') this.begin(row, 'repeat');
    else if (type.kind === 'hidden') this.hidden(row);
    else if (type.kind === 'list file') this.listFile(row, type.ending);
    else this.question(row, type);
  }

  end(): void {
    for (const { list, row } of this.listRows) {
      if (!this.searchedLists.has(list)) continue;
      const message = `the list "${list}" names the columns of a file, for search(): a question without it needs a list of its own`;
      this.problem(row, { column: 'type', message });
    }
    for (const { kind, row } of this.open) {
      this.problem(row, { column: 'type', message: `this ${kind} is never ended: "end ${kind}" is missing` });
    }
  }

  private begin(row: TableRow, kind: OpenGroup['kind']): void {
    if (this.open.length === MAX_FORM_DEPTH) this.problem(row, { column: 'type', message: TOO_DEEP });
    const label = wordsOf(row, 'label', this.language);
    const given = (column: string) => row.cell(column) !== '';
    const weight = readWeight(row);
    const group: Group = {
      type: kind,
      name: row.cell('name'),
      ...(label !== undefined && { label }),
      ...(given('relevant') && { relevant: expressionCell(row, 'relevant') }),
      ...(given('repeat_count') && { count: row.cell('repeat_count') }),
      ...(typeof weight === 'number' && { weight }),
      ...(given('appearance') && { appearance: row.cell('appearance') }),
      items: [],
    };
    if (typeof weight === 'string') this.problem(row, { column: 'weight', message: weight });
    if (given('repeat_count') && kind === 'group') {
      this.problem(row, { column: 'repeat_count', message: 'only a repeat has a count' });
    }
    this.add(row, group);
    this.note(row, unreadCells(row, GROUP_COLUMNS));
    this.open.push({ kind, group, row: row.number });
  }

  private close(row: TableRow, kind: OpenGroup['kind']): void {
    const last = this.open.at(-1);
    if (last?.kind === kind) this.open.pop();
    else {
      const wanted = last ? `"end ${last.kind}" for row ${last.row}` : 'no open group';
      this.problem(row, { column: 'type', message: `"end ${kind}" does not fit here: there is ${wanted}` });
    }
  }

  private question(row: TableRow, given: QuestionType): void {
    const searched = searchedIn(row.cell('appearance'));
    if (searched && 'unsupported' in searched)
      return this.leave(row, { column: 'appearance', message: searched.unsupported });
    const listed = this.withList(row, given);
    if (listed?.list !== undefined) {
      if (searched) this.searchedLists.add(listed.list);
      else this.listRows.push({ list: listed.list, row });
    }
    const type = listed && searched ? this.searched(row, listed, searched.file) : listed;
    if (!type) return;
    const { question, problems, notUnderstood } = readQuestion(
      searched ? withCell(row, 'appearance', searched.appearance) : row,
      type,
      {
        language: this.language,
        choices: type.list === undefined ? undefined : this.lists.choices(type.list),
      },
    );
    if (type.list !== undefined && takesSeveral(question.type)) this.survey.listsOfSeveral.add(type.list);
    for (const problem of problems) this.problem(row, problem);
    this.note(row, notUnderstood);
    this.add(row, question);
    if (type.orOther) this.add(row, otherQuestion(question));
  }

  /** The row with a list that there is; null, with the problem told, where there is none. */
  private withList(row: TableRow, type: QuestionType): QuestionType | null {
    if (type.list === undefined) return type;
    if (type.file === undefined) {
      if (this.lists.has(type.list)) return type;
      if (type.external) {
        this.leave(row, { column: 'type', message: `there is no list "${type.list}" in the sheet external_choices` });
        return null;
      }
      this.problem(row, { column: 'type', message: `there is no list "${type.list}" in the choices sheet` });
      return null;
    }
    const found = this.lists.fromFile(type.file, row.cell('parameters'));
    if (typeof found !== 'string') this.problem(row, { column: 'type', message: found.problem });
    return typeof found === 'string' ? { ...type, list: found } : null;
  }

  /** The row with the choices `search()` takes from a file; null, with the problem told, where there are none. */
  private searched(row: TableRow, type: QuestionType, file: string): QuestionType | null {
    if (type.list === undefined) return type;
    const found = this.lists.searched(type.list, file);
    if (typeof found === 'string') return { ...type, list: found };
    this.problem(row, { column: 'appearance', message: found.problem });
    return null;
  }

  private hidden(row: TableRow): void {
    const { question, notUnderstood } = hiddenQuestion(row);
    question.calculation ??= '.';
    this.note(row, notUnderstood);
    this.add(row, question);
  }

  private listFile(row: TableRow, ending: 'csv' | 'xml'): void {
    const file = `${row.cell('name')}.${ending}`;
    const found = this.lists.fromFile(file, '', false);
    if (typeof found !== 'string') this.leave(row, { column: 'type', message: found.problem });
  }

  private hasName(row: TableRow): boolean {
    const name = row.cell('name');
    if (NAME.test(name) && name.length <= 100) return true;
    const message =
      name === ''
        ? 'this row needs a name'
        : `"${name}" cannot be a name: it starts with a letter and has letters, digits, _ and - only`;
    this.problem(row, { column: 'name', message });
    return false;
  }

  private add(row: TableRow, item: FormItem): void {
    // The form is refused already; what nests thousands deep is not put together first.
    if (this.open.length > MAX_FORM_DEPTH) return;
    const groups = this.open.map(open => open.group);
    const siblings = groups.at(-1)?.items ?? this.survey.items;
    if (siblings.some(({ name }) => name === item.name)) {
      return this.problem(row, { column: 'name', message: `"${item.name}" stands twice in its group` });
    }
    siblings.push(item);
    this.survey.rows.set([...groups.map(({ name }) => name), item.name].join('.'), row.number);
  }

  private problem(row: TableRow | number, { column, message }: { column: string | null; message: string }): void {
    const number = typeof row === 'number' ? row : row.number;
    this.survey.problems.push({ sheet: this.sheet, row: number, column, message });
  }

  private note(row: TableRow, findings: CellFinding[]): void {
    for (const finding of findings) this.survey.notUnderstood.push({ sheet: this.sheet, row: row.number, ...finding });
  }

  private leave(row: TableRow, { column, message }: { column: string | null; message: string }): void {
    this.survey.notUnderstood.push({ sheet: this.sheet, row: row.number, column, message });
    if (row.cell('name') !== '') this.survey.leftOut.set(row.cell('name'), row.number);
  }
}

/** A note needs no name of its own; pyxform gives it this one. */
const named = (row: TableRow): TableRow =>
  row.cell('name') === '' && row.cell('type').trim().toLowerCase() === 'note'
    ? withCell(row, 'name', `generated_note_name_${row.number}`)
    : row;

/** A row in which one cell says something else. */
const withCell = (row: TableRow, column: string, text: string): TableRow => ({
  ...row,
  cell: asked => (asked === column ? text : row.cell(asked)),
});

const GROUP_COLUMNS = new Set(['type', 'name', 'label', 'relevant', 'repeat_count', 'weight', 'appearance']);

/** What or_other asks when "Other" was chosen, under the name XLSForm gives it. */
export const otherQuestion = ({ name }: Question): Question => ({
  type: 'text',
  name: `${name}_other`,
  label: 'Specify other.',
  relevant: `selected(../${name}, 'other')`,
});
