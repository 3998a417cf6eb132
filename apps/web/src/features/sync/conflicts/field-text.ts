import type { TFunction } from 'i18next';
import type { Row, TableName } from '@cairn/schema';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { formatInstant } from '../../../shared/format/format.ts';
import type { ConflictNames } from './conflict-names.ts';
import type { ConflictQuestion } from './conflict-questions.ts';
import { kindLabel } from '../lists/kind-label.ts';
import { codeText, fieldName } from './record-text.ts';

/** Fields with a question of their own; the others are asked for by their name. */
const ASKED = [
  'title',
  'description',
  'due_at',
  'assignee_id',
  'status',
  'priority',
  'value',
  'note',
  'media_ids',
  'voice_ids',
] as const;
type QuestionField = (typeof ASKED)[number];

const ALIKE: Readonly<Record<string, QuestionField>> = {
  name: 'title',
  due_day: 'due_at',
  due_on: 'due_at',
  assigned_to: 'assignee_id',
};

/** Where the question by that name would be the wrong one: a machine is not "far", and only a form's question is answered. */
const OTHERWISE: ReadonlySet<string> = new Set(['assets.status']);

function askedAs(table: TableName, field: string): QuestionField | undefined {
  if (OTHERWISE.has(`${table}.${field}`)) return undefined;
  if (field === 'value' && table !== 'inspection_answers') return undefined;
  return ASKED.find(each => each === (ALIKE[field] ?? field));
}

/** "When is Conveyor 2 guard due?" */
export function questionText(
  { table, lead }: { table: TableName; lead: ConflictQuestion['lead'] },
  name: string,
  t: TFunction<'sync'>,
): string {
  const asked = askedAs(table, lead.f);
  if (asked) return t(`ask.${asked}`, { name });
  const field = fieldName(lead.f);
  return field === null ? t('ask.one', { name }) : t('ask.field', { name, field });
}

/** Tables whose rows are called by a code; everywhere else people gave the name. */
const CODED: ReadonlySet<TableName> = new Set(['user_roles', 'subscriptions', 'subscription_tiers']);

/** What the record of a conflict is called: an answer by its question, a record without a name by its kind. */
export function conflictName(conflict: Conflict, names: ConflictNames, t: TFunction<'sync'>): string {
  const { id, table, title } = conflict;
  const kind = kindLabel({ table, kind: 'record' }, t);
  if (table === 'inspection_answers') return names.questions.get(id)?.words ?? kind;
  if (title === null || table === 'role_permissions') return kind;
  if (CODED.has(table)) return codeText(table, 'role', title) ?? kind;
  return table === 'policy_variables' ? title.replaceAll('_', ' ') : title;
}

export type People = ReadonlyMap<string, Row<'people'>>;

type Priority<T extends TableName> = Row<T> extends { priority: infer Level extends string } ? Level : never;
type PriorityTable = { [T in TableName]: [Priority<T>] extends [never] ? never : T }[TableName];

/** The levels each table's column takes, the lowest first; one more or one less does not compile. */
const LEVELS: { readonly [T in PriorityTable]: Readonly<Record<Priority<T>, true>> } = {
  action_items: { low: true, medium: true, high: true, critical: true },
  tasks: { none: true, low: true, medium: true, high: true, urgent: true },
  task_series: { none: true, low: true, medium: true, high: true, urgent: true },
};

const hasLevels = (table: TableName): table is PriorityTable => table in LEVELS;

/** How a third value of a field is written: as words, as a day, or chosen among levels. */
export type Editor = { by: 'line' | 'text' | 'day' } | { by: 'level'; levels: readonly string[] };

const LINES: ReadonlySet<string> = new Set(['title', 'name', 'location']);
const TEXTS: ReadonlySet<string> = new Set(['description', 'note', 'notes', 'summary']);

/** How a third value of a field is written; null where none is offered. */
export function editorOf(table: TableName, field: string): Editor | null {
  // A task's due day stands beside it and would say another one.
  if (field === 'due_at') return table === 'tasks' ? null : { by: 'day' };
  if (field === 'priority') return hasLevels(table) ? { by: 'level', levels: Object.keys(LEVELS[table]) } : null;
  if (LINES.has(field)) return { by: 'line' };
  return TEXTS.has(field) ? { by: 'text' } : null;
}

/** What stands in the control at first: this phone's value where it can say it, else nothing. */
export function beginning(editor: Editor, mine: unknown): string {
  if (typeof mine !== 'string') return '';
  if (editor.by === 'level') return editor.levels.includes(mine) ? mine : '';
  if (editor.by === 'day') return Number.isNaN(Date.parse(mine)) ? '' : mine;
  return mine;
}

/** When and by whose clock, with seconds: for receipts and details. */
export const exactly = (iso: string | number): string => formatInstant(new Date(iso));
