import { csvFile, csvRows, plainCell } from '@cairn/base/csv.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import { isZone } from '@cairn/base/wall-clock.ts';
import type { Row } from '@cairn/schema';
import { cleanLabels } from './labels.ts';
import type { TaskChanges } from './save-task.ts';
import type { TaskDue } from './task-due.ts';
import { needsReason, taskPriorities, taskStatuses } from './task-status.ts';

type Task = Row<'tasks'>;
type Person = { id: string; name: string };

const COLUMNS = [
  'external_id',
  'title',
  'notes',
  'status',
  'status_reason',
  'priority',
  'due_day',
  'due_time',
  'due_zone',
  'start_day',
  'assignee',
  'labels',
  'estimate_minutes',
] as const;
type Column = (typeof COLUMNS)[number];

/** Most rows of one file. */
export const MOST_ROWS = 5000;

/**
 * Tasks as CSV (RFC 4180, UTF-8 with a mark so that spreadsheets know), a row each; labels stand in one cell with `;` between
 * them, people by name. `external_id` is what the task was brought with, else its own id: the file can be brought back.
 */
export function tasksCsv(tasks: readonly Task[], names: ReadonlyMap<string, string>): string {
  const lines = tasks.map(task => [
    task.external_id ?? task.id,
    task.title,
    task.notes,
    task.status,
    task.status_reason,
    task.priority,
    task.due_day,
    task.due_time,
    task.due_zone,
    task.start_day,
    task.assignee_id === null ? null : (names.get(task.assignee_id) ?? null),
    textsIn(task.labels).join('; '),
    task.estimate_minutes,
  ]);
  return csvFile([[...COLUMNS], ...lines]);
}

/** Why a row is not taken. */
export type RowProblem =
  | 'noTitle'
  | 'badStatus'
  | 'noReason'
  | 'badPriority'
  | 'badDay'
  | 'badTime'
  | 'badZone'
  | 'badEstimate'
  | 'unknownPerson'
  | 'twice';

/** A row as it is to be: what its file does not name is left as it is. */
export type BroughtTask = { externalId: string | null; title: string } & Omit<
  TaskChanges,
  'title' | 'reviewerId' | 'watcherIds' | 'needsIds' | 'evidenceRequired'
>;

/** `line`: its number in the file, the head being 1. */
export type BroughtRow = { line: number; title: string } & ({ task: BroughtTask } | { problem: RowProblem });

export type BroughtFile = { rows: BroughtRow[] } | { problem: 'noTitleColumn' | 'empty' | 'tooLong' };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

class BadCell extends Error {
  readonly problem: RowProblem;
  constructor(problem: RowProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Reads tasks out of a CSV file with a line of names. Unknown columns are passed over; a row that cannot be read is told with its
 * line and the first thing that is wrong with it.
 *
 * @param people who can be given a task, by name
 * @param zone IANA name, for times that come without one
 */
export function readTasksCsv(text: string, people: readonly Person[], zone: string): BroughtFile {
  const [head = [], ...lines] = csvRows(text);
  const names = head.map(name => name.trim().toLowerCase());
  if (lines.length === 0) return { problem: 'empty' };
  if (!names.includes('title')) return { problem: 'noTitleColumn' };
  if (lines.length > MOST_ROWS) return { problem: 'tooLong' };
  const seen = new Set<string>();
  const rows = lines.map((cells, index): BroughtRow => {
    const cellOf = (column: Column): string | undefined => {
      const at = names.indexOf(column);
      return at === -1 ? undefined : plainCell(cells[at] ?? '').trim();
    };
    const title = (cellOf('title') ?? '').slice(0, 300);
    const place = { line: index + 2, title };
    try {
      const task = taskOf(cellOf, { title, people, zone });
      if (task.externalId !== null && seen.has(task.externalId)) throw new BadCell('twice');
      if (task.externalId !== null) seen.add(task.externalId);
      return { ...place, task };
    } catch (error) {
      if (error instanceof BadCell) return { ...place, problem: error.problem };
      throw error;
    }
  });
  return { rows };
}

type Cells = (column: Column) => string | undefined;

function taskOf(cellOf: Cells, { title, people, zone }: { title: string; people: readonly Person[]; zone: string }) {
  if (title === '') throw new BadCell('noTitle');
  const status = oneOf(cellOf('status'), taskStatuses, 'badStatus');
  const reason = cellOf('status_reason');
  if (status !== undefined && needsReason(status) && !reason) throw new BadCell('noReason');
  const priority = oneOf(cellOf('priority'), taskPriorities, 'badPriority');
  const due = dueOf(cellOf, zone);
  const [notes, start, labels] = [cellOf('notes'), cellOf('start_day'), cellOf('labels')];
  const assigneeId = personOf(cellOf('assignee'), people);
  const estimateMinutes = minutesOf(cellOf('estimate_minutes'));
  return {
    externalId: (cellOf('external_id') ?? '').slice(0, 200) || null,
    title,
    ...(notes !== undefined && { notes: notes.slice(0, 20_000) || null }),
    ...(status !== undefined && { status, reason: reason || null }),
    ...(priority !== undefined && { priority }),
    ...(due !== undefined && { due }),
    ...(start !== undefined && { startDay: start === '' ? null : dayOf(start) }),
    ...(assigneeId !== undefined && { assigneeId }),
    ...(labels !== undefined && { labels: cleanLabels(labels.split(';')) }),
    ...(estimateMinutes !== undefined && { estimateMinutes }),
  } satisfies BroughtTask;
}

function oneOf<A extends string>(cell: string | undefined, list: readonly A[], problem: RowProblem): A | undefined {
  if (cell === undefined || cell === '') return undefined;
  const found = list.find(each => each === cell.toLowerCase().replaceAll(' ', '_'));
  if (found === undefined) throw new BadCell(problem);
  return found;
}

function dayOf(cell: string): string {
  const time = DAY.test(cell) ? Date.parse(`${cell}T00:00:00Z`) : Number.NaN;
  const isThere = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === cell;
  if (!isThere || cell <= '1970-01-02' || cell >= '2199-12-31') throw new BadCell('badDay');
  return cell;
}

function dueOf(cellOf: Cells, zone: string): TaskDue | null | undefined {
  const day = cellOf('due_day');
  if (day === undefined) return undefined;
  if (day === '') return null;
  const time = cellOf('due_time') || null;
  if (time !== null && !TIME.test(time)) throw new BadCell('badTime');
  const said = cellOf('due_zone') || zone;
  if (!isZone(said)) throw new BadCell('badZone');
  return { day: dayOf(day), time, zone: said };
}

function personOf(cell: string | undefined, people: readonly Person[]): string | null | undefined {
  if (cell === undefined) return undefined;
  if (cell === '') return null;
  const found = people.filter(({ name }) => name.toLowerCase() === cell.toLowerCase());
  // Of two people of one name nobody is chosen by chance.
  if (found.length !== 1 || !found[0]) throw new BadCell('unknownPerson');
  return found[0].id;
}

function minutesOf(cell: string | undefined): number | null | undefined {
  if (cell === undefined) return undefined;
  if (cell === '') return null;
  const minutes = Number(cell);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > 100_000) throw new BadCell('badEstimate');
  return minutes;
}
