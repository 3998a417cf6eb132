import type { Query } from '@cairn/sync/store.ts';
import type { Row } from '@cairn/schema';

/** What is known of a file, its bytes apart. */
export const mediaRow = (id: string): Query<Row<'media'> | undefined> => ({
  key: `media/${id}`,
  tables: ['media'],
  read: tx => tx.get('media', id),
});
