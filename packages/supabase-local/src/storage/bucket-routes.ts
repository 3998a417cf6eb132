import { Hono } from 'hono';
import type { TransactionSql } from 'postgres';
import type { GateVariables } from '../access/gate.ts';
import { validBucket } from './names.ts';
import { asCaller, jsonBody, withInstants, type Storage, type StorageRequest } from './storage-context.ts';
import { bucketExists, bucketNotEmpty, invalidRequest, noSuchBucket, StorageError } from './storage-error.ts';

const UNITS: Record<string, number> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
const SORT = ['id', 'name', 'created_at', 'updated_at'];
const MAX_PAGE = 1000;

type Settings = { isPublic: boolean | undefined; limit: number | null | undefined; types: string[] | null | undefined };

/** Bytes, from a number or from text such as `20MB`. */
function bytesIn(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const [, number, unit] = (typeof value === 'string' && /^(\d{1,9}(?:\.\d{1,3})?)(gb|mb|kb|b)?$/i.exec(value)) || [];
  if (number === undefined) throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  return Math.round(Number(number) * (UNITS[unit?.toLowerCase() ?? 'b'] ?? 1));
}

function typesIn(value: unknown): string[] | null {
  if (value === null) return null;
  const isType = (type: unknown): type is string => typeof type === 'string' && /^[\w*.+-]+\/[\w*.+-]+$/.test(type);
  if (Array.isArray(value) && value.length <= 100 && value.every(isType)) return value;
  throw new StorageError('InvalidMimeType', 415, 'mime type is not supported', { error: 'invalid_mime_type' });
}

function settingsIn(body: Record<string, unknown>): Settings {
  const { public: isPublic, file_size_limit: limit, allowed_mime_types: types } = body;
  if (isPublic !== undefined && typeof isPublic !== 'boolean') throw invalidRequest('body/public must be boolean');
  return {
    isPublic,
    limit: limit === undefined || limit === null ? limit : bytesIn(limit),
    types: types === undefined ? undefined : typesIn(types),
  };
}

async function create(c: StorageRequest, storage: Storage): Promise<Response> {
  const body = await jsonBody(c);
  const name = validBucket(body['name'] ?? body['id']);
  const id = validBucket(body['id'] ?? name);
  if (body['type'] !== undefined && body['type'] !== 'STANDARD') throw invalidRequest('body/type must be STANDARD');
  const { isPublic = false, limit = null, types = null } = settingsIn(body);
  const caller = c.get('caller');
  const insert = asCaller(
    storage,
    caller,
    'bucket.create',
    tx => tx`insert into storage.buckets (id, name, owner_id, public, file_size_limit, allowed_mime_types)
      values (${id}, ${name}, ${caller.claims?.sub ?? null}, ${isPublic}, ${limit}, ${types})`,
  );
  await insert.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === '23505') throw bucketExists();
    throw error;
  });
  return c.json({ name: id });
}

const columns = (tx: TransactionSql) =>
  tx`id, name, coalesce(owner_id, owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit,
     allowed_mime_types, created_at, updated_at, 'STANDARD' as type`;

function page(c: StorageRequest) {
  const number = (field: string, otherwise: number) => {
    const value = c.req.query(field) ?? String(otherwise);
    if (!/^\d{1,9}$/.test(value)) throw invalidRequest(`querystring/${field} must be an integer`);
    return Number(value);
  };
  const column = c.req.query('sortColumn') ?? 'id';
  if (!SORT.includes(column)) throw invalidRequest(`querystring/sortColumn must be one of ${SORT.join(', ')}`);
  return { limit: Math.min(number('limit', MAX_PAGE), MAX_PAGE), offset: number('offset', 0), column };
}

async function list(c: StorageRequest, storage: Storage): Promise<Response> {
  const { limit, offset, column } = page(c);
  const search = `%${(c.req.query('search') ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const isDown = c.req.query('sortOrder') === 'desc';
  const rows = await asCaller(
    storage,
    c.get('caller'),
    'bucket.list',
    tx => tx`select ${columns(tx)} from storage.buckets where name ilike ${search}
      order by ${tx(column)} ${isDown ? tx`desc` : tx`asc`} limit ${limit} offset ${offset}`,
  );
  return c.json(rows.map(withInstants));
}

async function visible(tx: TransactionSql, id: string) {
  const [bucket] = await tx`select ${columns(tx)} from storage.buckets where id = ${id}`;
  if (!bucket) throw noSuchBucket();
  return withInstants(bucket);
}

async function update(c: StorageRequest, storage: Storage, id: string): Promise<Response> {
  const { isPublic, limit, types } = settingsIn(await jsonBody(c));
  await asCaller(storage, c.get('caller'), 'bucket.update', async tx => {
    const changed = await tx`update storage.buckets set
      public = ${isPublic === undefined ? tx`public` : isPublic},
      file_size_limit = ${limit === undefined ? tx`file_size_limit` : limit},
      allowed_mime_types = ${types === undefined ? tx`allowed_mime_types` : types},
      updated_at = now() where id = ${id}`;
    if (changed.count === 0) throw noSuchBucket();
  });
  return c.json({ message: 'Successfully updated' });
}

async function empty(c: StorageRequest, storage: Storage, id: string): Promise<Response> {
  const rows = await asCaller(storage, c.get('caller'), 'bucket.empty', async tx => {
    await visible(tx, id);
    return tx<{ version: string }[]>`delete from storage.objects where bucket_id = ${id} returning version`;
  });
  await storage.files.remove(rows.map(row => row.version));
  return c.json({ message: 'Successfully emptied' });
}

async function drop(c: StorageRequest, storage: Storage, id: string): Promise<Response> {
  const gone = asCaller(storage, c.get('caller'), 'bucket.delete', async tx => {
    await visible(tx, id);
    const dropped = await tx`delete from storage.buckets where id = ${id}`;
    if (dropped.count === 0) throw noSuchBucket();
  });
  await gone.catch((error: unknown) => {
    // Also for somebody who sees none of the objects that are in it.
    if (error instanceof Error && 'code' in error && error.code === '23503') throw bucketNotEmpty();
    throw error;
  });
  return c.json({ message: 'Successfully deleted' });
}

/** Buckets, under the policies of storage.buckets; without one they are the service's alone. */
export function bucketRoutes(storage: Storage): Hono<GateVariables> {
  const routes = new Hono<GateVariables>();
  const idOf = (c: StorageRequest) => validBucket(c.req.param('id'));
  routes.post('/bucket', c => create(c, storage));
  routes.get('/bucket', c => list(c, storage));
  routes.get('/bucket/:id', async c =>
    c.json(await asCaller(storage, c.get('caller'), 'bucket.get', tx => visible(tx, idOf(c)))),
  );
  routes.put('/bucket/:id', c => update(c, storage, idOf(c)));
  routes.post('/bucket/:id/empty', c => empty(c, storage, idOf(c)));
  routes.delete('/bucket/:id', c => drop(c, storage, idOf(c)));
  return routes;
}
