import { questionTexts } from '@cairn/core/forms/definition/question-texts.ts';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

type Name = { title: string | null } & Pick<OutboxItem, 'policyState'>;
export type ItemNames = ReadonlyMap<string, Name>;

/**
 * Tables whose own title is none for people: an answer's is its question's short name, a comment has none, and what is said of a
 * policy bears the policy's.
 */
const NAMED = {
  inspection_answers: answerName,
  comments: commentName,
  policy_acknowledgements: acknowledgementName,
} satisfies Partial<Record<TableName, (tx: Tx, id: string, language: string) => Promise<Name>>>;

const isNamed = (table: TableName): table is keyof typeof NAMED => table in NAMED;

async function answerName(tx: Tx, id: string, language: string): Promise<Name> {
  const answer = await tx.get('inspection_answers', id);
  const inspection = answer && (await tx.get('inspections', answer.inspection_id));
  const version = inspection && (await tx.get('form_versions', inspection.form_version_id));
  return { title: answer && version ? questionTexts(version.definition, answer.question, language) : null };
}

/** So much of a comment's first line that it is known again: whole words, unless it begins with a longer one. */
const BEGINNING = /^.{1,60}(?!\S)|^.{60}/u;

async function commentName(tx: Tx, id: string): Promise<Name> {
  const [line = ''] = (await tx.get('comments', id))?.body.trim().split('\n') ?? [];
  const [begins] = BEGINNING.exec(line) ?? [null];
  return { title: begins === null || begins === line ? begins : `${begins.trimEnd()}…` };
}

/** Opening a policy, and answering its quiz, is no acknowledgement; nor is a word against it. */
async function acknowledgementName(tx: Tx, id: string): Promise<Name> {
  const acknowledgement = await tx.get('policy_acknowledgements', id);
  const policy = acknowledgement && (await tx.get('policies', acknowledgement.policy_id));
  const title = policy?.title ?? null;
  const state = acknowledgement?.state;
  return state === 'opened' || state === 'declined' ? { title, policyState: state } : { title };
}

/** What such items are called for people, by their key. */
export function itemNames(items: readonly OutboxItem[], language: string): Query<ItemNames> {
  const unnamed = items.filter(({ table, kind }) => isNamed(table) && kind === 'record');
  return {
    key: `sync/itemNames/${language}/${unnamed.map(({ key }) => key).join(',')}`,
    tables: ['inspection_answers', 'inspections', 'form_versions', 'comments', 'policy_acknowledgements', 'policies'],
    async read(tx) {
      const named = unnamed.map(async ({ key, table, recordId }): Promise<[string, Name]> => {
        return [key, isNamed(table) ? await NAMED[table](tx, recordId, language) : { title: null }];
      });
      return new Map(await Promise.all(named));
    },
  };
}

/** Items under the names people know them by; an answer whose form is not here is called an answer. */
export const underNames = (items: readonly OutboxItem[], names: ItemNames): OutboxItem[] =>
  items.map(item => (isNamed(item.table) ? { ...item, ...(names.get(item.key) ?? { title: null }) } : item));
