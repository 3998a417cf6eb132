import type { TableName } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Conflict, OutboxItem, PendingWrite } from '@cairn/sync/outbox/outbox-item.ts';
import type { Store } from '@cairn/sync/store.ts';
import { saveFile } from '../../../shared/files/save-file.ts';

type Source = Pick<SyncEngine, 'store' | 'wrote'>;
type CopySource = Pick<Conflict, 'table' | 'recordId' | 'title' | 'mine'>;

/**
 * What this phone wrote of a record that is gone, with the answers of an inspection it still holds.
 *
 * @returns a file's name and its text, JSON
 */
export async function copyOf(store: Store, { table, recordId, title, mine }: CopySource) {
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
 * What this phone wrote of records the server refused; for an inspection and its answers, all that was refused of it. What
 * somebody else wrote of the same records is not in it: whoever keeps it keeps their own words.
 *
 * @returns a file's name and its text, JSON
 */
export async function refusedCopy({ store, wrote }: Source, items: readonly [OutboxItem, ...OutboxItem[]]) {
  const [table, recordId] = items[0].aggregateKey.split('/') as [TableName, string];
  const written = await wrote(items.map(({ key }) => key));
  const parts = written.filter(part => part.table !== table || part.recordId !== recordId);
  const answers = await Promise.all(parts.map(part => partOf(store, part)));
  const mine = written.find(part => !parts.includes(part))?.fields ?? {};
  const title = items.find(item => item.recordId === recordId)?.title ?? null;
  const text = JSON.stringify({ table, id: recordId, title, mine, parts: answers }, null, 2);
  return { name: `${table}-${recordId}.json`, text };
}

/** An edit of an answer does not say which question it answers; its row does. */
async function partOf(store: Store, { table, recordId, fields }: PendingWrite) {
  const row = await store.read({
    key: `own-copy/part/${table}/${recordId}`,
    tables: [table],
    read: tx => tx.get(table, recordId),
  });
  const question = row && 'question' in row ? { question: row.question } : {};
  return { table, id: recordId, ...question, ...fields };
}

/** Hands the file to the browser's downloads. */
export const saveAsFile = ({ name, text }: { name: string; text: string }): void =>
  saveFile(name, new Blob([text], { type: 'application/json' }));
