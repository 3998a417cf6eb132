import { csvLines, plainCell, separatorOf, type CsvLine } from '@cairn/base/csv.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Mapping, TaskField } from './csv-columns.ts';
import type { DayOrder } from './csv-days.ts';
import { BadCell, taskOfCells, type ImportTask, type CellPlace, type RowNote, type RowProblem } from './csv-row.ts';

/** Most rows of one file. */
export const MAX_ROWS = 5000;

/** A file with a line of names. */
export type CsvTable = { head: string[]; lines: CsvLine[] };

/** A row, with its number as a spreadsheet shows it: the head is 1. `notes`: what of it is not taken over. */
export type ImportRow = { line: number; title: string } & (
  | { task: ImportTask; notes: RowNote[] }
  | { problem: RowProblem }
);

/** "sep=;" in a line before the names: Excel's word for what separates the cells, which it shows in no row. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([,;\t])"?\r?\n([^]*)$/i;

/** The cells of a text whose cells commas, semicolons or tabs stand between, its first line being names. */
export function tableIn(text: string): CsvTable | { problem: 'empty' | 'tooLong' } {
  const [, declaredSeparator, rest = text] = SEPARATOR_LINE.exec(text) ?? [];
  const separator =
    declaredSeparator === ',' || declaredSeparator === ';' || declaredSeparator === '\t'
      ? declaredSeparator
      : separatorOf(rest);
  const [head, ...lines] = csvLines(rest, separator);
  if (!head || lines.length === 0) return { problem: 'empty' };
  if (lines.length > MAX_ROWS) return { problem: 'tooLong' };
  return { head: head.cells.map(cell => plainCell(cell).trim()), lines };
}

/** The cells of one column that say something, in their order. @param field what it stands for */
export function cellsOf({ lines }: CsvTable, mapping: Mapping, field: TaskField): string[] {
  const at = mapping.indexOf(field);
  if (at === -1) return [];
  return lines.map(({ cells }) => plainCell(cells[at] ?? '').trim()).filter(cell => cell !== '');
}

type ReadContext = CellPlace & { organizationId: string; order: DayOrder };

/**
 * Reads tasks out of a table. What its columns do not say is left as it is; a row that cannot be read is told with its number and
 * the first cell that is wrong with it. A row without an id of its own gets one that follows from its cells and from how many alike
 * stand before it, so that the same file brought again is known.
 */
export function readTasks(table: CsvTable, mapping: Mapping, reading: ReadContext): ImportRow[] {
  const known = knownRows(reading.organizationId);
  return table.lines.map(({ number, cells }): ImportRow => {
    const cellOf = (field: TaskField): string | undefined => {
      const at = mapping.indexOf(field);
      return at === -1 ? undefined : plainCell(cells[at] ?? '').trim();
    };
    const place = { line: number, title: (cellOf('title') ?? '').slice(0, 300) };
    try {
      const { task, notes } = taskOfCells(cellOf, reading);
      const externalId = known(task, cells);
      return { ...place, task: { ...task, externalId }, notes };
    } catch (error) {
      if (error instanceof BadCell) return { ...place, problem: error.problem };
      throw error;
    }
  });
}

/** Says what each row is to be called, and refuses one that the file holds twice. */
function knownRows(organizationId: string) {
  const seen = new Set<string>();
  const alike = new Map<string, number>();
  const derived = (cells: readonly string[]): string => {
    const whole = JSON.stringify(cells);
    const before = alike.get(whole) ?? 0;
    alike.set(whole, before + 1);
    return derivedId(organizationId, `task-row/${before}/${whole}`);
  };
  return ({ taskId, externalId }: ImportTask, cells: readonly string[]): string => {
    if (externalId === null) return derived(cells);
    // Two people may have brought tasks of the same name: then their own ids tell them apart.
    const name = taskId !== null && seen.has(externalId) ? taskId : externalId;
    if (seen.has(name)) throw new BadCell('twice', taskId === name ? 'id' : 'external_id', name);
    seen.add(name);
    return name;
  };
}
