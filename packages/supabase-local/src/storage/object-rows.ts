import type { Sql, TransactionSql } from 'postgres';
import type { StoredFile } from './file-store.ts';
import type { Target } from './names.ts';
import { noSuchBucket, noSuchKey } from './storage-error.ts';
import { inTurn, uuidOrNull, type Storage } from './storage-context.ts';

export type ObjectMetadata = {
  eTag: string;
  /** Bytes. */
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: 200;
};

export type ObjectRow = {
  id: string;
  bucket_id: string;
  name: string;
  owner_id: string | null;
  version: string;
  metadata: ObjectMetadata;
  user_metadata: Record<string, unknown> | null;
  /** As the database writes an instant. */
  created_at: string;
  updated_at: string;
  last_accessed_at: string;
};

export type Bucket = {
  id: string;
  public: boolean;
  /** Bytes; null where only the server's own limit holds. */
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
};

/** What of a row goes into the table at an upload. */
export type NewObject = Target & {
  id: string;
  ownerId: string | null;
  version: string;
  metadata: ObjectMetadata | null;
  userMetadata: Record<string, unknown> | null;
};

export const describeBytes = ({ size, eTag }: StoredFile, mimetype: string, cacheControl: string): ObjectMetadata => ({
  eTag,
  size,
  mimetype,
  cacheControl,
  lastModified: new Date().toISOString(),
  contentLength: size,
  httpStatusCode: 200,
});

/** Outside row-level security, as Supabase asks: whether a bucket is public is no secret. @throws {StorageError} */
export async function findBucket(sql: Sql | TransactionSql, id: string): Promise<Bucket> {
  const [bucket] = await sql<Bucket[]>`
    select id, public, file_size_limit::float8 as file_size_limit, allowed_mime_types from storage.buckets where id = ${id}`;
  if (!bucket) throw noSuchBucket();
  return bucket;
}

/** The same when the asker's turn comes. @throws {StorageError} */
export const bucketOf = (storage: Storage, id: string): Promise<Bucket> =>
  inTurn(storage, () => findBucket(storage.sql, id));

/** What lies in a public bucket, which is anybody's, when the asker's turn comes. @throws {StorageError} NoSuchKey */
export const publicObject = (storage: Storage, target: Target): Promise<ObjectRow> =>
  inTurn(storage, () => findObject(storage.sql, target));

/** As the transaction's role may see it; a row that somebody wrote without bytes is none. @throws {StorageError} NoSuchKey */
export async function findObject(tx: Sql | TransactionSql, { bucket, name }: Target): Promise<ObjectRow> {
  const [row] = await tx<ObjectRow[]>`
    select id, bucket_id, name, owner_id, version, metadata, user_metadata, created_at, updated_at, last_accessed_at
    from storage.objects
    where bucket_id = ${bucket} and name = ${name} and version is not null and metadata is not null`;
  if (!row) throw noSuchKey();
  return row;
}

/** Under the transaction's role. Nothing is read back: who may upload need not be one who may read. */
export async function writeObject(tx: TransactionSql, object: NewObject, isUpsert: boolean): Promise<void> {
  const { id, bucket, name, ownerId, version, metadata, userMetadata } = object;
  const row = {
    id,
    bucket_id: bucket,
    name,
    owner: uuidOrNull(ownerId),
    owner_id: ownerId,
    version,
    metadata: metadata && tx.json(metadata),
    user_metadata: userMetadata && tx.json(JSON.parse(JSON.stringify(userMetadata))),
  };
  const conflict = isUpsert
    ? tx`on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata,
        user_metadata = excluded.user_metadata, owner = excluded.owner, owner_id = excluded.owner_id, updated_at = now()`
    : tx``;
  await tx`insert into storage.objects ${tx(row)} ${conflict}`;
}
