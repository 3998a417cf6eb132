import type { TableName } from '@cairn/schema';
import type { Conflict, OutboxItem } from '@cairn/sync/engine.ts';
import type { Store } from '@cairn/sync/store.ts';
import { saveFile } from '../../shared/save-file.ts';

type Held = Pick<Conflict, 'table' | 'recordId' | 'title' | 'mine'>;

/**
 * What this phone wrote of a record that is gone, with the answers of an inspection it still holds.
 *
 * @returns a file's name and its text, JSON
 */
export async function copyOf(store: Store, { table, recordId, title, mine }: Held) {
  const answers = await store.read({
    key: `own-copy/${recordId}`,
    tables: ['inspection_answers'],
    read: tx => tx.range('inspection_answers', 'inspection', `${recordId}/`, `${recordId}/\uffff`),
  });
  const held = answers.map(({ question, value, outcome, note }) => ({ question, value, outcome, note }));
  const text = JSON.stringify({ table, id: recordId, title, mine, answers: held }, null, 2);
  return { name: `${table}-${recordId}.json`, text };
}

/**
 * What this phone holds of records the server refused; for an inspection and its answers, all of the inspection.
 *
 * @returns a file's name and its text, JSON
 */
export async function refusedCopy(store: Store, items: readonly [OutboxItem, ...OutboxItem[]]) {
  const [table, recordId] = items[0].under.split('/') as [TableName, string];
  const mine = await store.read({
    key: `own-copy/row/${table}/${recordId}`,
    tables: [table],
    read: tx => tx.get(table, recordId),
  });
  const title = items.find(item => item.recordId === recordId)?.title ?? null;
  return copyOf(store, { table, recordId, title, mine: { ...mine } });
}

/** Hands the file to the browser's downloads. */
export const saveAsFile = ({ name, text }: { name: string; text: string }): void =>
  saveFile(name, new Blob([text], { type: 'application/json' }));
