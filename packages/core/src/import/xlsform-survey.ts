import type { FormItem, Group, Question } from '../field-ops/form-definition.ts';
import type { Finding, Table, TableRow } from './sheet-table.ts';
import type { ChoiceLists } from './xlsform-choices.ts';
import { type CellFinding, readQuestion, unreadCells } from './xlsform-question.ts';
import { readType, type RowType } from './xlsform-types.ts';
import { wordsOf } from './xlsform-words.ts';

export type Survey = {
  items: FormItem[];
  /** Sheet rows by the path of what they made. */
  rows: Map<string, number>;
  /** Rows that made nothing, by their name. */
  leftOut: Map<string, number>;
  problems: Finding[];
  notUnderstood: Finding[];
};

type Open = { kind: 'group'; group: Group; row: number } | { kind: 'repeat'; row: number };

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Reads the rows of the survey sheet, one by one, into sections and questions. */
export function readSurvey(table: Table, lists: ChoiceLists, language: string): Survey {
  const reader = new SurveyReader(table.sheet, lists, language);
  for (const row of table.rows) reader.row(row);
  reader.end();
  return reader.survey;
}

class SurveyReader {
  readonly survey: Survey = { items: [], rows: new Map(), leftOut: new Map(), problems: [], notUnderstood: [] };
  private readonly open: Open[] = [];
  private readonly sheet: string;
  private readonly lists: ChoiceLists;
  private readonly language: string;

  constructor(sheet: string, lists: ChoiceLists, language: string) {
    this.sheet = sheet;
    this.lists = lists;
    this.language = language;
  }

  row(row: TableRow): void {
    const cell = row.cell('type');
    if (cell === '') return this.leave(row, { column: 'type', message: 'this row has no type and was left out' });
    const type = readType(cell);
    if (type.kind === 'begin repeat') return this.beginRepeat(row);
    if (type.kind === 'end repeat') return this.close(row, 'repeat');
    if (type.kind === 'end group') return this.close(row, 'group');
    if (this.open.some(({ kind }) => kind === 'repeat')) return this.inRepeat(row, type);
    if (type.kind === 'unsupported') return this.leave(row, { column: 'type', message: type.why });
    if (!this.hasName(row)) return;
    if (type.kind === 'begin group') this.beginGroup(row);
    else this.question(row, type);
  }

  end(): void {
    for (const { kind, row } of this.open) {
      this.problem(row, { column: 'type', message: `this ${kind} is never ended: "end ${kind}" is missing` });
    }
  }

  private beginGroup(row: TableRow): void {
    const label = wordsOf(row, 'label', this.language);
    const group: Group = {
      type: 'group',
      name: row.cell('name'),
      ...(label !== undefined && { label }),
      ...(row.cell('relevant') !== '' && { relevant: row.cell('relevant') }),
      ...(row.cell('appearance') !== '' && { appearance: row.cell('appearance') }),
      items: [],
    };
    this.add(row, group);
    this.note(row, unreadCells(row));
    this.open.push({ kind: 'group', group, row: row.number });
  }

  private beginRepeat(row: TableRow): void {
    this.leave(row, {
      column: 'type',
      message: 'repeat groups are not supported; what stands in this one was left out',
    });
    this.open.push({ kind: 'repeat', row: row.number });
  }

  /** Groups inside a repeat are followed too, so that their ends match. */
  private inRepeat(row: TableRow, type: RowType): void {
    this.leave(row, { column: null, message: 'this stands in a repeat group and was left out' });
    if (type.kind !== 'begin group') return;
    this.open.push({ kind: 'group', group: { type: 'group', name: row.cell('name'), items: [] }, row: row.number });
  }

  private close(row: TableRow, kind: Open['kind']): void {
    const last = this.open.at(-1);
    if (last?.kind === kind) this.open.pop();
    else {
      const wanted = last ? `"end ${last.kind}" for row ${last.row}` : 'no open group';
      this.problem(row, { column: 'type', message: `"end ${kind}" does not fit here: there is ${wanted}` });
    }
  }

  private question(row: TableRow, type: RowType & { kind: 'question' }): void {
    if (type.list !== undefined && !Object.hasOwn(this.lists, type.list)) {
      const message = `there is no list "${type.list}" in the choices sheet`;
      return this.problem(row, { column: 'type', message });
    }
    const { question, problems, notUnderstood } = readQuestion(row, type, this.language);
    if (question.type === 'calculate' && !question.calculation) {
      problems.push({ column: 'calculation', message: 'a calculate row needs a calculation' });
    }
    for (const problem of problems) this.problem(row, problem);
    this.note(row, notUnderstood);
    this.add(row, question);
    if (type.orOther) this.add(row, otherQuestion(question));
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
    const groups = this.open.flatMap(open => (open.kind === 'group' ? [open.group] : []));
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

/** What or_other asks when "Other" was chosen, under the name XLSForm gives it. */
const otherQuestion = ({ name }: Question): Question => ({
  type: 'text',
  name: `${name}_other`,
  label: 'Specify other.',
  relevant: `selected(../${name}, 'other')`,
});
