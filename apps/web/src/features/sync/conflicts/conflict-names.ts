import { inLanguage } from '@cairn/core/forms/definition/form-definition.ts';
import { isFinished } from '@cairn/core/inspections/inspection-states.ts';
import { itemTexts, questionAt } from '@cairn/core/forms/definition/question-texts.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { placeOf } from './conflict-groups.ts';

/** A question of a form as people know it. */
export type AskedQuestion = {
  words: string;
  /** What its inspection is called. */
  within: string;
  /** Its inspection is finished: what another device signed stays as it was signed. */
  isFinished: boolean;
  type: string;
  /** What its choices are called, by their name. */
  labels: ReadonlyMap<string, string>;
};

export type ConflictNames = {
  /** What records are called, by their id. */
  records: ReadonlyMap<string, string>;
  /** By the id of the conflict; only answers whose form is on this device. */
  questions: ReadonlyMap<string, AskedQuestion>;
};

export const NO_NAMES: ConflictNames = { records: new Map(), questions: new Map() };

/** What a column may point at where its name does not say which table. */
const ANYTHING = [
  'inspections',
  'action_items',
  'tasks',
  'issue_reports',
  'findings',
  'controls',
  'evidence',
  'policies',
  'policy_versions',
  'assets',
  'forms',
  'habits',
  'goals',
] as const satisfies TableName[];

const TARGETS: Readonly<Record<string, readonly TableName[]>> = {
  organization_id: ['organizations'],
  employer_id: ['organizations'],
  site_id: ['sites'],
  playbook_id: ['playbooks'],
  team_id: ['teams'],
  assigned_team: ['teams'],
  asset_id: ['assets'],
  form_id: ['forms'],
  form_version_id: ['form_versions'],
  current_version_id: ['form_versions'],
  inspection_id: ['inspections'],
  task_id: ['tasks'],
  needs_ids: ['tasks'],
  action_id: ['action_items'],
  series_id: ['task_series', 'evidence'],
  policy_id: ['policies'],
  version_id: ['policy_versions'],
  based_on_id: ['policy_versions'],
  framework_id: ['frameworks'],
  goal_id: ['goals'],
  follows_id: ['goals'],
  habit_id: ['habits'],
  media_id: ['media'],
  drawn_on: ['media'],
};

/** The tables in which a column's ids are looked for, the likeliest first. */
export function targetsOf(table: TableName, field: string): readonly TableName[] {
  if (field === 'parent_id') return table === 'assets' ? ['assets'] : ['tasks'];
  return TARGETS[field] ?? ANYTHING;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isIdText = (text: string): boolean => UUID.test(text);
const isId = (value: unknown): value is string => typeof value === 'string' && isIdText(value);

/** Told by their number. */
const COUNTED: ReadonlySet<string> = new Set(['media_ids', 'voice_ids']);

type Pointer = { id: string; tables: readonly TableName[] };

function pointersOf({ table, fields, mine, written }: Conflict): Pointer[] {
  const values = [
    ...fields.flatMap(({ f, base, mine, theirs }) => [base, mine, theirs].map(value => [f, value] as const)),
    ...Object.entries({ ...mine, ...written }),
  ];
  const pointing = values.filter(([field]) => !COUNTED.has(field));
  return pointing.flatMap(([field, value]) =>
    [value].flat().flatMap(each => (isId(each) ? [{ id: each, tables: targetsOf(table, field) }] : [])),
  );
}

async function nameIn<T extends TableName>(tx: Tx, table: T, id: string): Promise<string | null> {
  const row = await tx.get(table, id);
  return row ? syncedTables[table].title(row) : null;
}

async function nameOf(tx: Tx, { id, tables }: Pointer): Promise<[string, string] | null> {
  for (const table of tables) {
    const name = await nameIn(tx, table, id);
    if (name) return [id, name];
  }
  return null;
}

async function askedBy(tx: Tx, conflict: Conflict, language: string): Promise<[string, AskedQuestion] | null> {
  if (conflict.table !== 'inspection_answers') return null;
  const place = await placeOf(tx, conflict);
  const { inspection, question } = place ?? {};
  const version = inspection && (await tx.get('form_versions', inspection.form_version_id));
  const found = version && typeof question === 'string' && questionAt(version.definition, question);
  if (!found) return null;
  const { form, item } = found;
  const choices = 'list' in item && item.list !== undefined ? (form.choice_lists[item.list] ?? []) : [];
  const labels = new Map(choices.map(({ name, label }) => [name, inLanguage(label, language) || name]));
  const { title: within, status } = inspection;
  return [
    conflict.id,
    { words: itemTexts(item, language), within, isFinished: isFinished(status), type: item.type, labels },
  ];
}

const isKnown = <Entry>(entry: Entry | null): entry is Entry => entry !== null;

/** Theirs may change while the conflict is open, and with it what is spoken of. */
const keyOf = ({ id, resolved, fields }: Conflict): string =>
  `${id}${resolved ? '+' : JSON.stringify(fields.map(({ theirs }) => theirs))}`;

/** What people call the things these conflicts speak of, as far as they are on this device. */
export function conflictNames(conflicts: readonly Conflict[], language: string): Query<ConflictNames> {
  const pointers = conflicts.flatMap(pointersOf);
  const looked = new Set(pointers.flatMap(({ tables }) => tables));
  return {
    key: `sync/conflictNames/${language}/${conflicts.map(keyOf).join(',')}`,
    tables: [...looked.union(new Set<TableName>(['inspection_answers', 'inspections', 'form_versions']))],
    async read(tx) {
      const records = await Promise.all(pointers.map(pointer => nameOf(tx, pointer)));
      const questions = await Promise.all(conflicts.map(conflict => askedBy(tx, conflict, language)));
      return { records: new Map(records.filter(isKnown)), questions: new Map(questions.filter(isKnown)) };
    },
  };
}
