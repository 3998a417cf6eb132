import { questionWords } from '@cairn/core/field-ops/question-words.ts';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

type Names = ReadonlyMap<string, string>;

/** Tables whose own title is none for people: an answer's is its question's short name, a comment has none. */
const NAMED = {
  inspection_answers: answerName,
  comments: commentName,
} satisfies Partial<Record<TableName, (tx: Tx, id: string, language: string) => Promise<string | null>>>;

const isNamed = (table: TableName): table is keyof typeof NAMED => table in NAMED;

async function answerName(tx: Tx, id: string, language: string): Promise<string | null> {
  const answer = await tx.get('inspection_answers', id);
  const inspection = answer && (await tx.get('inspections', answer.inspection_id));
  const version = inspection && (await tx.get('form_versions', inspection.form_version_id));
  return answer && version ? questionWords(version.definition, answer.question, language) : null;
}

/** So much of a comment's first line that it is known again: whole words, unless it begins with a longer one. */
const BEGINNING = /^.{1,60}(?!\S)|^.{60}/u;

async function commentName(tx: Tx, id: string): Promise<string | null> {
  const [line = ''] = (await tx.get('comments', id))?.body.trim().split('\n') ?? [];
  const [begins] = BEGINNING.exec(line) ?? [null];
  return begins === null || begins === line ? begins : `${begins.trimEnd()}…`;
}

/** What answers and comments are called for people, by the key of their item. */
export function itemNames(items: readonly OutboxItem[], language: string): Query<Names> {
  const unnamed = items.filter(({ table, kind }) => isNamed(table) && kind === 'record');
  return {
    key: `sync/itemNames/${language}/${unnamed.map(({ key }) => key).join(',')}`,
    tables: ['inspection_answers', 'inspections', 'form_versions', 'comments'],
    async read(tx) {
      const named = unnamed.map(async ({ key, table, recordId }): Promise<[string, string | null]> => {
        return [key, isNamed(table) ? await NAMED[table](tx, recordId, language) : null];
      });
      return new Map((await Promise.all(named)).flatMap(([key, words]) => (words === null ? [] : [[key, words]])));
    },
  };
}

/** Items under the names people know them by; an answer whose form is not here is called an answer. */
export const underNames = (items: readonly OutboxItem[], names: Names): OutboxItem[] =>
  items.map(item => (isNamed(item.table) ? { ...item, title: names.get(item.key) ?? null } : item));
