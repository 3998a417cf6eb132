import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { GateVariables } from '../access/gate.ts';
import { validBucket, type Target } from './names.ts';
import { bucketOf, findObject } from './object-rows.ts';
import { keyIn, ownerOf } from './object-routes.ts';
import { asCaller, jsonBody, type Storage, type StorageRequest } from './storage-context.ts';
import { accessDenied, invalidRequest, tooLarge } from './storage-error.ts';
import { checkMayBring, checkType, limitOf, orDrop, pointTo } from './store-object.ts';
import { userMetadataOf } from './upload-body.ts';

type Transfer = { from: Target; to: Target };

function transferIn(body: Record<string, unknown>): Transfer {
  if (body['sourceVersionId'] !== undefined) throw invalidRequest('Objects have no versions here');
  const bucket = validBucket(body['bucketId']);
  return {
    from: { bucket, name: keyIn(body, 'sourceKey') },
    to: { bucket: validBucket(body['destinationBucket'] ?? bucket), name: keyIn(body, 'destinationKey') },
  };
}

/** The bytes stay where they are: only the row's name changes, so nothing can be half moved. */
async function move(c: StorageRequest, storage: Storage): Promise<Response> {
  const { from, to } = transferIn(await jsonBody(c));
  await bucketOf(storage, to.bucket);
  const id = await asCaller(storage, c.get('caller'), 'object.move', async tx => {
    const row = await findObject(tx, from);
    const moved = await tx`update storage.objects set bucket_id = ${to.bucket}, name = ${to.name}, updated_at = now()
      where id = ${row.id}`;
    if (moved.count === 0) throw accessDenied('new row violates row-level security policy for table "objects"');
    return row.id;
  });
  return c.json({ message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` });
}

async function copy(c: StorageRequest, storage: Storage): Promise<Response> {
  const body = await jsonBody(c);
  const { from, to } = transferIn(body);
  const caller = c.get('caller');
  const isUpsert = c.req.header('x-upsert') === 'true';
  const bucket = await bucketOf(storage, to.bucket);
  const source = await asCaller(storage, caller, 'object.copy', tx => findObject(tx, from));
  checkType(bucket, source.metadata.mimetype);
  if (source.metadata.size > limitOf(bucket)) throw tooLarge();
  const bringing = { ...to, caller, ownerId: ownerOf(caller), isUpsert, operation: 'object.copy' };
  await checkMayBring(storage, bringing);
  const version = randomUUID();
  await storage.files.copy(source.version, version);
  const metadata = { ...source.metadata, lastModified: new Date().toISOString() };
  const userMetadata =
    body['copyMetadata'] === false ? userMetadataOf(JSON.stringify(body['metadata'] ?? {})) : source.user_metadata;
  const id = await orDrop(storage, version, () => pointTo(storage, bringing, version, { metadata, userMetadata }));
  return c.json({ Id: id, Key: `${to.bucket}/${to.name}`, name: to.name, bucket_id: to.bucket, metadata });
}

/** Moving and copying, also into another bucket. */
export function transferRoutes(storage: Storage): Hono<GateVariables> {
  const routes = new Hono<GateVariables>();
  routes.post('/object/move', c => move(c, storage));
  routes.post('/object/copy', c => copy(c, storage));
  return routes;
}
