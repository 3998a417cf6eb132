import { Hono } from 'hono';
import type { Caller } from '../access/bearer.ts';
import type { GateVariables } from '../access/gate.ts';
import { targetIn, validBucket, validKey, type Target } from './names.ts';
import { bucketOf, findObject, publicObject, type ObjectRow } from './object-rows.ts';
import { sendObject } from './send-object.ts';
import { asCaller, jsonBody, withInstants, type Storage, type StorageRequest } from './storage-context.ts';
import { invalidRequest, noSuchBucket } from './storage-error.ts';
import { storeObject } from './store-object.ts';
import { readUpload } from './upload-body.ts';

export const ownerOf = ({ claims }: Caller): string | null => claims?.sub ?? null;

async function bring(c: StorageRequest, storage: Storage, isUpsert: boolean): Promise<Response> {
  const caller = c.get('caller');
  const target = targetIn(c.req.url, '/object');
  const operation = isUpsert ? 'object.upload_update' : 'object.upload';
  const bringing = { ...target, caller, ownerId: ownerOf(caller), isUpsert, operation };
  const id = await storeObject(storage, bringing, () => readUpload(c));
  return c.json({ Id: id, Key: `${target.bucket}/${target.name}` });
}

type Readable = { row: ObjectRow; audience: 'public' | 'private' };

/** What a public bucket holds is anybody's to read; elsewhere the policies say. */
async function readable(c: StorageRequest, storage: Storage, target: Target, operation: string): Promise<Readable> {
  const bucket = await bucketOf(storage, target.bucket);
  if (bucket.public) return { row: await publicObject(storage, target), audience: 'public' };
  const row = await asCaller(storage, c.get('caller'), operation, tx => findObject(tx, target));
  return { row, audience: 'private' };
}

async function send(c: StorageRequest, storage: Storage, place: string): Promise<Response> {
  const { row, audience } = await readable(c, storage, targetIn(c.req.url, place), 'object.get_authenticated');
  return sendObject(c, storage, row, audience);
}

async function info(c: StorageRequest, storage: Storage, place: string): Promise<Response> {
  const { row } = await readable(c, storage, targetIn(c.req.url, place), 'object.get_authenticated_info');
  return c.json(infoOf(row));
}

/** A bucket that is not public is, to somebody without a right, one that is not there. */
async function inPublic(storage: Storage, target: Target): Promise<ObjectRow> {
  const bucket = await bucketOf(storage, target.bucket);
  if (!bucket.public) throw noSuchBucket();
  return publicObject(storage, target);
}

function infoOf({ id, name, version, bucket_id, metadata, user_metadata, created_at, updated_at }: ObjectRow) {
  const { size, mimetype, cacheControl, eTag } = metadata;
  return {
    id,
    name,
    version,
    bucket_id,
    size,
    content_type: mimetype,
    cache_control: cacheControl,
    etag: eTag,
    metadata: user_metadata ?? {},
    last_modified: new Date(updated_at).toISOString(),
    created_at: new Date(created_at).toISOString(),
  };
}

const MAX_REMOVED = 1000;

function namesIn(prefixes: unknown): string[] {
  if (!Array.isArray(prefixes) || prefixes.length === 0 || prefixes.length > MAX_REMOVED)
    throw invalidRequest(`body/prefixes must hold 1 to ${MAX_REMOVED} names`);
  return prefixes.map((name: unknown) => {
    if (typeof name !== 'string') throw invalidRequest('body/prefixes must be strings; objects have no versions here');
    return name;
  });
}

/** Whoever may not see an object, or may see but not delete it, finds it missing from the answer. */
async function remove(storage: Storage, caller: Caller, bucket: string, names: string[], operation: string) {
  // A name that could never have been stored is not there either.
  const possible = names.filter(name => !name.includes('\0'));
  const rows = await asCaller(
    storage,
    caller,
    operation,
    tx =>
      tx<ObjectRow[]>`delete from storage.objects where bucket_id = ${bucket} and name = any (${possible}) returning *`,
  );
  await storage.files.remove(rows.map(row => row.version));
  return rows.map(withInstants);
}

async function removeOne(c: StorageRequest, storage: Storage): Promise<Response> {
  const target = targetIn(c.req.url, '/object');
  await asCaller(storage, c.get('caller'), 'object.delete', tx => findObject(tx, target));
  const rows = await remove(storage, c.get('caller'), target.bucket, [target.name], 'object.delete');
  if (rows.length === 0) throw invalidRequest('You may not delete this object');
  return c.json({ message: 'Successfully deleted' });
}

async function removeMany(c: StorageRequest, storage: Storage): Promise<Response> {
  const bucket = validBucket(c.req.param('bucket'));
  const names = namesIn((await jsonBody(c))['prefixes']);
  return c.json(await remove(storage, c.get('caller'), bucket, names, 'object.delete_many'));
}

/** Upload, update, download, information and removal of objects. */
export function objectRoutes(storage: Storage): Hono<GateVariables> {
  const routes = new Hono<GateVariables>();
  routes.get('/object/info/public/*', async c =>
    c.json(infoOf(await inPublic(storage, targetIn(c.req.url, '/object/info/public')))),
  );
  for (const place of ['/object/info/authenticated', '/object/info'])
    routes.get(`${place}/*`, c => info(c, storage, place));
  routes.get('/object/public/*', async c =>
    sendObject(c, storage, await inPublic(storage, targetIn(c.req.url, '/object/public')), 'public'),
  );
  for (const place of ['/object/authenticated', '/object']) routes.get(`${place}/*`, c => send(c, storage, place));
  routes.post('/object/*', c => bring(c, storage, c.req.header('x-upsert') === 'true'));
  routes.put('/object/*', c => bring(c, storage, true));
  routes.delete('/object/:bucket', c => removeMany(c, storage));
  routes.delete('/object/*', c => removeOne(c, storage));
  return routes;
}

/** @throws {StorageError} */
export const keyIn = (body: Record<string, unknown>, field: string): string => validKey(body[field]);
