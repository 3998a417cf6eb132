import type { TaskPriority, TaskStatus } from './task-status.ts';

/** What a column of a file can be to a task. `kind` says which rows are tasks at all. */
export const taskFields = [
  'id',
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
  'checklist',
  'site',
  'ended_at',
  'kind',
] as const;
export type TaskField = (typeof taskFields)[number];

/** The columns of our own files, in their order. `series` and `created_at` are for reading: nothing is made from them. */
export const ownColumns = [
  ...taskFields.filter(field => field !== 'ended_at' && field !== 'kind'),
  'series',
  'created_at',
  'ended_at',
] as const;

/** What each column of a file stands for; null: it is left out. */
export type Mapping = readonly (TaskField | null)[];

/**
 * What columns are called, the likeliest name first; written small, with single blanks for whatever is no letter or digit.
 * Besides our own: Todoist (type, content, description, responsible, date, timezone), Asana (task id, name, completed at, tags),
 * Trello (card id, card name, card description, members, due complete), Planner, and the same in German.
 */
const NAMES: Record<TaskField, readonly string[]> = {
  id: ['id'],
  external_id: ['external id', 'task id', 'card id', 'issue key', 'key', 'aufgaben id'],
  title: [
    'title',
    'content',
    'card name',
    'task name',
    'name',
    'task',
    'summary',
    'subject',
    'titel',
    'aufgabe',
    'betreff',
  ],
  notes: ['notes', 'description', 'card description', 'note', 'body', 'notizen', 'notiz', 'beschreibung'],
  status: ['status', 'state', 'progress', 'zustand', 'fortschritt'],
  status_reason: ['status reason', 'reason', 'grund'],
  priority: ['priority', 'priorität'],
  due_day: [
    'due day',
    'due date',
    'due',
    'due on',
    'deadline',
    'date',
    'fällig',
    'fällig am',
    'fälligkeitsdatum',
    'frist',
  ],
  due_time: ['due time', 'time', 'uhrzeit'],
  due_zone: ['due zone', 'timezone', 'time zone', 'zeitzone'],
  start_day: ['start day', 'start date', 'start', 'start on', 'beginn', 'startdatum'],
  assignee: [
    'assignee',
    'assigned to',
    'responsible',
    'members',
    'owner',
    'zugewiesen an',
    'zuständig',
    'verantwortlich',
  ],
  labels: ['labels', 'label', 'tags', 'categories', 'stichwörter', 'etiketten', 'kategorien'],
  estimate_minutes: ['estimate minutes', 'estimate', 'minutes', 'schätzung'],
  checklist: ['checklist', 'checklist items', 'steps', 'checkliste'],
  site: ['site', 'location', 'place', 'standort', 'ort'],
  ended_at: [
    'ended at',
    'completed at',
    'completed date',
    'completed',
    'due complete',
    'done',
    'erledigt',
    'abgeschlossen am',
  ],
  kind: ['type'],
};

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What the columns of a file most likely stand for, by their names; none stands for two things. */
export function guessMapping(head: readonly string[]): Mapping {
  const names = head.map(plain);
  const mapping: (TaskField | null)[] = head.map(() => null);
  for (const field of taskFields) {
    const at = NAMES[field].map(name => names.indexOf(name)).find(index => index !== -1 && mapping[index] === null);
    if (at !== undefined) mapping[at] = field;
  }
  return mapping;
}

/** The mapping with another meaning for one column; what stood for that before is left out. */
export const remapped = (mapping: Mapping, column: number, field: TaskField | null): Mapping =>
  mapping.map((each, index) => (index === column ? field : each === field ? null : each));

/** Words other apps have for a state, written as `plain` does. */
const STATUSES: Record<TaskStatus, readonly string[]> = {
  todo: [
    'todo',
    'to do',
    'open',
    'not started',
    'new',
    'backlog',
    'incomplete',
    'offen',
    'zu erledigen',
    'nicht begonnen',
  ],
  in_progress: ['in progress', 'doing', 'started', 'active', 'in arbeit', 'in bearbeitung'],
  blocked: ['blocked', 'on hold', 'waiting', 'blockiert', 'wartet'],
  in_review: ['in review', 'review', 'in prüfung'],
  done: ['done', 'completed', 'complete', 'closed', 'finished', 'resolved', 'erledigt', 'abgeschlossen', 'fertig'],
  reopened: ['reopened', 'wieder geöffnet'],
  not_applicable: ['not applicable', 'n a', 'not relevant', 'nicht zutreffend'],
  cancelled: ['cancelled', 'canceled', 'abgebrochen'],
};

/** Numbers as Todoist writes them: 1 is the most urgent, 4 what nobody ranked. */
const PRIORITIES: Record<TaskPriority, readonly string[]> = {
  none: ['none', '4', 'p4', 'keine'],
  low: ['low', 'lowest', 'minor', 'niedrig'],
  medium: ['medium', 'normal', '3', 'p3', 'mittel'],
  high: ['high', 'important', 'major', '2', 'p2', 'hoch', 'wichtig'],
  urgent: ['urgent', 'highest', 'critical', '1', 'p1', 'dringend'],
};

function wordIn<A extends string>(words: Record<A, readonly string[]>, cell: string): A | null {
  const text = plain(cell);
  for (const key in words) if (words[key].includes(text)) return key;
  return null;
}

/** The state a cell names; null where it names none we know. */
export const statusIn = (cell: string): TaskStatus | null => wordIn(STATUSES, cell);

/** The priority a cell names; null where it names none we know. */
export const priorityIn = (cell: string): TaskPriority | null => wordIn(PRIORITIES, cell);

const NOT_ENDED: ReadonlySet<string> = new Set(['', 'false', 'no', '0', 'nein', 'falsch']);

/** Whether a cell that says when or whether something ended says that it did. */
export const endedIn = (cell: string): boolean => !NOT_ENDED.has(plain(cell));

const NO_TASKS: ReadonlySet<string> = new Set(['section', 'note', 'meta', 'comment']);

/** Whether a row of this kind is a task: lists hold headings and remarks too. */
export const isTaskKind = (cell: string): boolean => !NO_TASKS.has(plain(cell));
