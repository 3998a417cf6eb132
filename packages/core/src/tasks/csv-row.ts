import { isZone } from '@cairn/base/wall-clock.ts';
import { endedIn, isTaskKind, priorityIn, statusIn, type TaskField } from './csv-columns.ts';
import { labelsIn, stepsIn, type StepCell } from './csv-lists.ts';
import { csvDay, csvTime, type DayOrder, type DayCell } from './csv-days.ts';
import { cleanLabels } from './labels.ts';
import type { TaskChanges } from './save-task.ts';
import type { TaskDue } from './task-due.ts';
import { needsReason, type TaskStatus } from './task-status.ts';

/** Why a row is not taken. */
export type ProblemCode =
  | 'noTask'
  | 'noTitle'
  | 'tooLong'
  | 'badStatus'
  | 'noReason'
  | 'openSteps'
  | 'badPriority'
  | 'badDay'
  | 'badTime'
  | 'badZone'
  | 'badEstimate'
  | 'twice';

/** What is wrong, in which cell, and what stands there. */
export type RowProblem = { code: ProblemCode; field: TaskField; value: string };

/** A name that nobody here, or no place, or more than one has: the task is made without. */
export type RowNote = { field: 'assignee' | 'site'; value: string };

/** A row as it is to be: what its file does not name is left as it is. */
export type ImportTask = {
  /** The id of a task of ours that the row names. */
  taskId: string | null;
  /** What it is called where it comes from; null only before one is derived. */
  externalId: string | null;
  title: string;
  steps?: StepCell[];
  siteId?: string;
} & Omit<TaskChanges, 'title' | 'reviewerId' | 'watcherIds' | 'needsIds' | 'evidenceRequired'>;

/** Who and what cells may name, and how days in them are read. */
export type CellPlace = {
  people: readonly { id: string; name: string }[];
  sites: readonly { id: string; name: string }[];
  /** IANA name, for times that come without one. */
  zone: string;
  order: DayOrder;
};

/** A cell that cannot be read; leaves a row, never this folder. */
export class BadCell extends Error {
  readonly problem: RowProblem;
  constructor(code: ProblemCode, field: TaskField, value: string) {
    super(code);
    this.problem = { code, field, value: value.slice(0, MAX_EXCERPT_LENGTH) };
  }
}

/** Letters of a cell that a message repeats. */
const MAX_EXCERPT_LENGTH = 80;
const MAX_TITLE_LENGTH = 300;
const MAX_NOTES_LENGTH = 20_000;
const MAX_REASON_LENGTH = 2000;
const MAX_ID_LENGTH = 200;
const MAX_LABEL_LENGTH = 40;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Cells = (field: TaskField) => string | undefined;

/** The task that the cells of a row say. @throws {BadCell} for the first that cannot be read */
export function taskOfCells(cellOf: Cells, place: CellPlace): { task: ImportTask; notes: RowNote[] } {
  const kind = cellOf('kind');
  if (kind !== undefined && !isTaskKind(kind)) throw new BadCell('noTask', 'kind', kind);
  const title = within(cellOf, 'title', MAX_TITLE_LENGTH) ?? '';
  if (title === '') throw new BadCell('noTitle', 'title', '');
  const notes = within(cellOf, 'notes', MAX_NOTES_LENGTH);
  const steps = stepsOf(cellOf('checklist'));
  const status = statusOf(cellOf, steps ?? []);
  const names = namedIn(cellOf, place);
  return {
    notes: names.notes,
    task: {
      ...idsOf(cellOf),
      title,
      ...(notes !== undefined && { notes: notes || null }),
      ...status,
      ...priorityOf(cellOf('priority')),
      ...daysOf(cellOf, place),
      ...names.task,
      ...labelsOf(cellOf('labels')),
      ...estimateOf(cellOf('estimate_minutes')),
      ...(steps && { steps }),
    },
  };
}

/** A cell that is not cut: too long a one is told. */
function within(cellOf: Cells, field: TaskField, most: number): string | undefined {
  const cell = cellOf(field);
  if (cell !== undefined && cell.length > most) throw new BadCell('tooLong', field, cell);
  return cell;
}

function idsOf(cellOf: Cells): Pick<ImportTask, 'taskId' | 'externalId'> {
  const id = within(cellOf, 'id', MAX_ID_LENGTH) || null;
  const external = within(cellOf, 'external_id', MAX_ID_LENGTH) || null;
  return { taskId: id !== null && UUID.test(id) ? id.toLowerCase() : null, externalId: external ?? id };
}

function stepsOf(cell: string | undefined): StepCell[] | undefined {
  const steps = cell === undefined ? undefined : stepsIn(cell);
  const long = steps?.find(({ title }) => title.length > MAX_TITLE_LENGTH);
  if (long) throw new BadCell('tooLong', 'checklist', long.title);
  return steps;
}

function statusOf(cellOf: Cells, steps: readonly StepCell[]): { status?: TaskStatus; reason?: string | null } {
  const cell = cellOf('status') ?? '';
  const named = cell === '' ? null : statusIn(cell);
  if (cell !== '' && named === null) throw new BadCell('badStatus', 'status', cell);
  const status = named ?? (endedIn(cellOf('ended_at') ?? '') ? 'done' : null);
  if (status === null) return {};
  const reason = within(cellOf, 'status_reason', MAX_REASON_LENGTH) || null;
  if (needsReason(status) && reason === null) throw new BadCell('noReason', 'status', cell);
  const open = steps.find(step => step.required && !step.done);
  if (status === 'done' && open) throw new BadCell('openSteps', 'checklist', open.title);
  return { status, reason };
}

function priorityOf(cell: string | undefined): Pick<ImportTask, 'priority'> {
  if (cell === undefined || cell === '') return {};
  const priority = priorityIn(cell);
  if (priority === null) throw new BadCell('badPriority', 'priority', cell);
  return { priority };
}

function daysOf(cellOf: Cells, place: CellPlace): Pick<ImportTask, 'due' | 'startDay'> {
  const due = dueOf(cellOf, place);
  const start = cellOf('start_day');
  return {
    ...(due !== undefined && { due }),
    ...(start !== undefined && {
      startDay: start === '' ? null : dayOf('start_day', start, place.order, place.zone).day,
    }),
  };
}

function dayOf(field: TaskField, cell: string, order: DayOrder, zone: string): DayCell {
  const day = csvDay(cell, order, zone);
  if (!day) throw new BadCell('badDay', field, cell);
  return day;
}

function dueOf(cellOf: Cells, { zone, order }: CellPlace): TaskDue | null | undefined {
  const cell = cellOf('due_day');
  if (cell === undefined) return undefined;
  if (cell === '') return null;
  const zoneName = cellOf('due_zone') || zone;
  if (!isZone(zoneName)) throw new BadCell('badZone', 'due_zone', zoneName);
  const { day, time } = dayOf('due_day', cell, order, zoneName);
  const clock = cellOf('due_time') ?? '';
  const own = clock === '' ? time : csvTime(clock);
  if (clock !== '' && own === null) throw new BadCell('badTime', 'due_time', clock);
  return { day, time: own, zone: zoneName };
}

/** Whom and which site a row names; who or what is not known here is told and left out. */
function namedIn(cellOf: Cells, { people, sites }: CellPlace) {
  const task: Pick<ImportTask, 'assigneeId' | 'siteId'> = {};
  const notes: RowNote[] = [];
  const assignee = cellOf('assignee');
  if (assignee === '') task.assigneeId = null;
  if (assignee) {
    // Todoist writes "Mara Voss (14781400)".
    const person = onlyOne(people, assignee) ?? onlyOne(people, assignee.replace(/\s*\(\d+\)$/, ''));
    if (person) task.assigneeId = person;
    else notes.push({ field: 'assignee', value: assignee.slice(0, MAX_EXCERPT_LENGTH) });
  }
  const site = cellOf('site');
  const found = site ? onlyOne(sites, site) : null;
  if (found) task.siteId = found;
  else if (site) notes.push({ field: 'site', value: site.slice(0, MAX_EXCERPT_LENGTH) });
  return { task, notes };
}

/** Of two of one name none is chosen by chance. */
function onlyOne(list: readonly { id: string; name: string }[], name: string): string | null {
  const found = list.filter(each => each.name.trim().toLowerCase() === name.toLowerCase());
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}

function labelsOf(cell: string | undefined): Pick<ImportTask, 'labels'> {
  if (cell === undefined) return {};
  const labels = labelsIn(cell);
  const long = labels.find(label => label.length > MAX_LABEL_LENGTH);
  if (long !== undefined) throw new BadCell('tooLong', 'labels', long);
  return { labels: cleanLabels(labels) };
}

function estimateOf(cell: string | undefined): Pick<ImportTask, 'estimateMinutes'> {
  if (cell === undefined) return {};
  if (cell === '') return { estimateMinutes: null };
  const minutes = Number(cell);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > 100_000)
    throw new BadCell('badEstimate', 'estimate_minutes', cell);
  return { estimateMinutes: minutes };
}
