import { newId } from '@cairn/base/id.ts';
import { keyAt } from './record-key.ts';
import { aggregateKeyOf } from './record.ts';
import type { Data, QueueEntry } from './stored.ts';

/** `size` in bytes; `now` in ms since 1970; `row`: the file's row, where it is known. */
type NewUpload = { owner: string; mediaId: string; size: number; now: number; row: Data };

/** The outbox entry of a file's bytes. */
export function uploadEntry({ owner, mediaId, size, now, row }: NewUpload): QueueEntry {
  return {
    operation: 'upload',
    dataType: 'media',
    dataId: mediaId,
    data: { size },
    priority: Number.MAX_SAFE_INTEGER,
    timestamp: now,
    retryCount: 0,
    mid: newId(),
    owner,
    record: keyAt(owner, 'media', mediaId),
    base: {},
    bv: 0,
    state: 'waiting',
    attempt: 0,
    crashes: 0,
    notBefore: 0,
    lastError: null,
    detail: null,
    aggregateKey: aggregateKeyOf('media', mediaId, row),
    title: null,
  };
}
