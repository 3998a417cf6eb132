import { groups, type TableName } from '@cairn/schema';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import type { FieldConflict } from '@cairn/sync/transport/backend.ts';

/** One thing to decide: a field, or a group of fields that only make sense together, asked by its first. */
export type ConflictQuestion = { lead: FieldConflict; fields: FieldConflict[] };

/**
 * Who answered, and when: merged each by itself, asked with the answer they belong to. Two phones that answer one
 * inspection differ in them always, also where both say the same.
 */
const ASKED_WITH: ReadonlyMap<string, string> = new Map([
  ['inspection_answers.answered_by', 'value'],
  ['inspection_answers.answered_at', 'value'],
]);

/** Fields of one group are one question (a status comes with who closed it and when). */
export function questionsOf({ table, fields }: Pick<Conflict, 'table' | 'fields'>): ConflictQuestion[] {
  const questions = new Map<string, ConflictQuestion>();
  for (const field of fields) {
    const key = groupOf(table, field.f);
    const question = questions.get(key);
    if (question) question.fields.push(field);
    else questions.set(key, { lead: field, fields: [field] });
  }
  return [...questions.values()].map(question => ({ ...question, lead: leadOf(table, question) }));
}

const isAskedWith = (table: TableName, field: string): boolean => ASKED_WITH.has(`${table}.${field}`);

/** Whether both sides gave the same answer, and differ in who gave it and when alone. */
export const isSameAnswer = ({ table, fields }: Pick<Conflict, 'table' | 'fields'>): boolean =>
  fields.length > 0 && fields.every(({ f }) => isAskedWith(table, f));

function groupOf(table: TableName, field: string): string {
  const asked = ASKED_WITH.get(`${table}.${field}`) ?? field;
  return groups[table].find(group => group.some(each => each === asked))?.[0] ?? asked;
}

/** The field a group is named for, e.g. `status`; where it is not in conflict itself, the first that is. */
function leadOf(table: TableName, { lead, fields }: ConflictQuestion): FieldConflict {
  return fields.find(field => field.f === groupOf(table, field.f)) ?? lead;
}

/** `other`: a value the person wrote. */
export type Choice = { keep: 'mine' } | { keep: 'theirs' } | { keep: 'other'; value: string };

/** The answer to the whole conflict from the answer to each of its questions. */
export function resolutionOf(questions: readonly ConflictQuestion[], choices: readonly Choice[]) {
  const keeps = new Set(choices.map(choice => choice.keep));
  if (keeps.size === 1 && keeps.has('mine')) return { keep: 'mine' } as const;
  if (keeps.size === 1 && keeps.has('theirs')) return { keep: 'theirs' } as const;
  const values = questions.flatMap((question, index) => valuesOf(question, choices[index] ?? { keep: 'theirs' }));
  return { keep: 'other', values: Object.fromEntries(values) } as const;
}

/** What stays as theirs needs no value: it stands on the server already. */
function valuesOf({ lead, fields }: ConflictQuestion, choice: Choice): [string, unknown][] {
  if (choice.keep === 'theirs') return [];
  if (choice.keep === 'mine') return fields.map(field => [field.f, field.mine]);
  return [[lead.f, choice.value]];
}
