import { formPictures } from '@cairn/core/forms/definition/form-pictures.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { pictureBytes } from '../answers/form-picture.ts';

/**
 * What a report prints of each file: a picture's bytes, a line for what cannot be printed, null for a picture that is not on
 * this device.
 */
export function filesOfReport(store: Store, line: (media: Row<'media'>) => string) {
  return async (mediaId: string): Promise<ArrayBuffer | string | null> => {
    const { row, bytes } = await store.read({
      key: `report/${mediaId}`,
      tables: ['media'],
      read: async tx => ({ row: await tx.get('media', mediaId), bytes: await tx.bytes(mediaId) }),
    });
    if (row?.kind === 'file') return line(row);
    return bytes ?? null;
  };
}

/** The bytes of a choice's picture, a JPEG; null where it is not on this device. */
export async function pictureOfReport(store: Store, id: string): Promise<Uint8Array | null> {
  const row = (await store.read(formPictures([id]))).get(id);
  return row ? pictureBytes(row) : null;
}
