import { questionWords } from '@cairn/core/field-ops/question-words.ts';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import type { Query } from '@cairn/sync/store.ts';

type Names = ReadonlyMap<string, string>;

/** What answers are called for people, by the key of their item: an answer's own title is its question's short name. */
export function answerNames(items: readonly OutboxItem[], language: string): Query<Names> {
  const answers = items.filter(({ table, kind }) => table === 'inspection_answers' && kind === 'record');
  return {
    key: `sync/answerNames/${language}/${answers.map(({ key }) => key).join(',')}`,
    tables: ['inspection_answers', 'inspections', 'form_versions'],
    async read(tx) {
      const named = answers.map(async ({ key, recordId }): Promise<[string, string | null]> => {
        const answer = await tx.get('inspection_answers', recordId);
        const inspection = answer && (await tx.get('inspections', answer.inspection_id));
        const version = inspection && (await tx.get('form_versions', inspection.form_version_id));
        return [key, answer && version ? questionWords(version.definition, answer.question, language) : null];
      });
      return new Map((await Promise.all(named)).flatMap(([key, words]) => (words === null ? [] : [[key, words]])));
    },
  };
}

/** Items under the names people know them by; an answer whose form is not here is called an answer. */
export const underNames = (items: readonly OutboxItem[], names: Names): OutboxItem[] =>
  items.map(item => (item.table === 'inspection_answers' ? { ...item, title: names.get(item.key) ?? null } : item));
