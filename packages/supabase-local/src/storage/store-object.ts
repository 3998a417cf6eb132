import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { BEGINNING_BYTES, beginsAs } from '@cairn/base/file-beginning.ts';
import { actAs } from '../access/act-as.ts';
import type { Caller } from '../access/bearer.ts';
import { UPLOAD_LIMIT_BYTES } from '../requests/body-limit.ts';
import type { ChunkInspector, StoredFile } from './file-store.ts';
import type { Target } from './names.ts';
import { bucketOf, describeBytes, writeObject, type Bucket, type NewObject } from './object-rows.ts';
import { asCaller, begun, type Storage } from './storage-context.ts';
import { invalidMimeType, tooLarge } from './storage-error.ts';
import type { Upload } from './upload-body.ts';

/** Who brings an object where, and what policies see as the operation. */
export type ObjectUpload = Target & { caller: Caller; ownerId: string | null; isUpsert: boolean; operation: string };

/** Carries the answer out of a transaction that must leave nothing behind. */
class RollbackSignal extends Error {}

/** @throws {StorageError} when the bucket does not take this type */
export function checkType({ allowed_mime_types: allowed }: Bucket, mimetype: string): void {
  const type = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  const fits = (pattern: string) =>
    pattern === '*/*' ||
    pattern.toLowerCase() === type ||
    (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)));
  if (allowed && allowed.length > 0 && !allowed.some(fits)) throw invalidMimeType(mimetype);
}

/** Bytes this bucket takes in one object. */
export const limitOf = ({ file_size_limit: limit }: Bucket, most = UPLOAD_LIMIT_BYTES): number =>
  limit === null ? most : Math.min(limit, most);

/** A bucket that names its types gets images that are what they say: a page called `image/png` is refused. */
export function inspector(bucket: Bucket, mimetype: string, most = limitOf(bucket)): ChunkInspector {
  const isStrict = (bucket.allowed_mime_types?.length ?? 0) > 0;
  let beginning = Buffer.alloc(0);
  const check = () => {
    if (!beginsAs(mimetype, beginning)) throw invalidMimeType(mimetype);
  };
  return (chunk, sizeBefore) => {
    if (chunk && sizeBefore + chunk.byteLength > most) throw tooLarge();
    if (!isStrict || beginning.length >= BEGINNING_BYTES) return;
    if (chunk) beginning = Buffer.concat([beginning, chunk.subarray(0, BEGINNING_BYTES - beginning.length)]);
    if (!chunk || beginning.length >= BEGINNING_BYTES) check();
  };
}

/** What `write` does under the caller's rights is undone. */
async function probe(
  storage: Storage,
  { caller, operation, ownerId, bucket, name }: ObjectUpload,
  write: (tx: TransactionSql, row: NewObject) => Promise<void>,
): Promise<void> {
  const ids = { id: randomUUID(), version: randomUUID() };
  const undone = asCaller(storage, caller, operation, async tx => {
    await write(tx, { bucket, name, ownerId, ...ids, metadata: null, userMetadata: null });
    throw new RollbackSignal();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof RollbackSignal)) throw error;
  });
}

/**
 * Asks the policies before bytes are taken, with a row that is rolled back.
 *
 * @throws {StorageError} AccessDenied, or KeyAlreadyExists
 */
export function checkMayBring(storage: Storage, bringing: ObjectUpload): Promise<void> {
  return probe(storage, bringing, (tx, row) => writeObject(tx, row, bringing.isUpsert));
}

/**
 * Asks whether the caller may replace this object, also while there is none: the second of two rows meets the first.
 *
 * @throws {StorageError} AccessDenied
 */
export function checkMayReplace(storage: Storage, bringing: ObjectUpload): Promise<void> {
  return probe(storage, bringing, async (tx, row) => {
    await writeObject(tx, row, true);
    await writeObject(tx, { ...row, version: randomUUID() }, true);
  });
}

/** The row that is there, locked, so that of two uploads each removes the bytes it replaced and no others. */
async function present(tx: TransactionSql, { bucket, name }: Target): Promise<{ id: string; version: string } | null> {
  const [row] = await tx<{ id: string; version: string }[]>`
    select id, version from storage.objects where bucket_id = ${bucket} and name = ${name} for update`;
  return row ?? null;
}

/** Lets the row point to bytes that are stored already, under the caller's rights; then drops the bytes it replaced. */
export async function pointTo(
  storage: Storage,
  bringing: ObjectUpload,
  version: string,
  facts: Pick<NewObject, 'metadata' | 'userMetadata'>,
): Promise<string> {
  const { caller, operation, ownerId, isUpsert, bucket, name } = bringing;
  const [id, replaced] = await begun(storage, async (tx): Promise<[string, string | null]> => {
    const before = isUpsert ? await present(tx, bringing) : null;
    const row: NewObject = { bucket, name, ownerId, version, id: before?.id ?? randomUUID(), ...facts };
    await tx`select set_config('storage.operation', ${`storage.${operation}`}, true)`;
    await actAs(tx, caller);
    await writeObject(tx, row, isUpsert);
    return [row.id, before?.version ?? null];
  });
  if (replaced !== null) await storage.files.remove([replaced]);
  return id;
}

/** Runs `point`; when it fails, the bytes nothing points to are gone again. */
export async function orDrop<T>(storage: Storage, version: string, point: () => Promise<T>): Promise<T> {
  try {
    return await point();
  } catch (error) {
    await storage.files.remove([version]);
    throw error;
  }
}

/**
 * Takes an upload: rights first, then the bytes, then the row under the same rights once more.
 *
 * @returns the object's id
 * @throws {StorageError}
 */
export async function storeObject(
  storage: Storage,
  bringing: ObjectUpload,
  read: () => Promise<Upload>,
): Promise<string> {
  const bucket = await bucketOf(storage, bringing.bucket);
  await checkMayBring(storage, bringing);
  const { body, mimetype, cacheControl, userMetadata } = await read();
  const version = randomUUID();
  const inspect = inspector(bucket, mimetype);
  const stored: StoredFile = await storage.files.put(version, body, (chunk, sizeBefore) => {
    // Here, so that a body that is refused for its type is let go of like any other.
    checkType(bucket, mimetype);
    inspect(chunk, sizeBefore);
  });
  const metadata = describeBytes(stored, mimetype, cacheControl);
  return orDrop(storage, version, () => pointTo(storage, bringing, version, { metadata, userMetadata }));
}
