import type { Row } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query, Store } from '@cairn/sync/store.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { isWithoutBytes } from './refusal-text.ts';

type Item = Pick<OutboxItem, 'kind' | 'table' | 'operation' | 'recordId' | 'lastError'>;

/** Whether its bytes go with it when it is discarded: a file, or the row of one the server has never had. */
export const isFile = ({ kind, table, operation }: Item): boolean =>
  kind === 'file' || (table === 'media' && operation === 'insert');

/** Ids of the files among it that lie on this phone, and perhaps nowhere else. */
export function filesIn(items: readonly Item[]): string[] {
  const lost = new Set(items.filter(isWithoutBytes).map(({ recordId }) => recordId));
  const ids = new Set(items.filter(isFile).map(({ recordId }) => recordId));
  return [...ids].filter(id => !lost.has(id));
}

const isPhoto = (row: Row<'media'> | undefined) => row?.kind !== 'file' && !row?.mime.startsWith('audio/');

/** Whether all of these files are photos. */
export const arePhotos = (ids: readonly string[]): Query<boolean> => ({
  key: `sync/arePhotos/${ids.join(',')}`,
  tables: ['media'],
  read: async tx => (await Promise.all(ids.map(id => tx.get('media', id)))).every(isPhoto),
});

const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'text/plain': 'txt',
};

const endingOf = (mime: string): string =>
  ENDINGS[mime] ?? /^\w+\/(?:x-)?([a-z0-9]+)$/.exec(mime.split(';')[0] ?? '')?.[1] ?? 'bin';

/** One every file system takes. */
const nameFrom = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N} -]+/gu, '')
    .trim()
    .slice(0, 80) || 'photo';

/**
 * Hands the bytes this phone holds of these files to the browser's downloads.
 *
 * @param title of what they belong to; they are named by it
 * @returns how many there were
 */
export async function saveFiles(store: Store, ids: readonly string[], title: string): Promise<number> {
  let saved = 0;
  for (const [at, id] of ids.entries()) {
    const { row, bytes } = await store.read({
      key: `sync/refused-file/${id}`,
      tables: ['media'],
      read: async tx => ({ row: await tx.get('media', id), bytes: await tx.bytes(id) }),
    });
    if (!bytes) continue;
    const mime = row?.mime ?? 'image/jpeg';
    const number = ids.length > 1 ? ` ${at + 1}` : '';
    saveFile(`${nameFrom(title)}${number}.${endingOf(mime)}`, new Blob([bytes], { type: mime }));
    saved += 1;
  }
  return saved;
}
