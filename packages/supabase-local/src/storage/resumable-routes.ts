import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { GateVariables } from '../access/gate.ts';
import { validBucket, validKey } from './names.ts';
import { describeBytes, bucketOf } from './object-rows.ts';
import { ownerOf } from './object-routes.ts';
import { LIFE_MS, type PendingUpload } from './resumable-uploads.ts';
import type { Storage, StorageRequest } from './storage-context.ts';
import { invalidRequest, invalidSignature, refusalOf, StorageError, tooLarge } from './storage-error.ts';
import { checkMayBring, checkType, inspector, limitOf, orDrop, pointTo, type ObjectUpload } from './store-object.ts';
import { cacheControlOf, mimetypeOf, userMetadataOf } from './upload-body.ts';

const VERSION = '1.0.0';
const EXTENSIONS = 'creation,creation-with-upload,termination,expiration';
const CHUNK_TYPE = 'application/offset+octet-stream';
/** In pieces more may come than in one request. */
const MAX_BYTES = 1024 ** 3;
/** Of one person. A device sends a few at once; what it throws away lies for a day, and each costs every announcement two files. */
const MAX_UNDERWAY = 200;
const MAX_METADATA_LENGTH = 8192;
const PLACE = '/upload/resumable';

type Upload = PendingUpload & { id: string; offset: number };

const refuse = (status: number, message: string) => new StorageError('TusError', status, message);
const conflict = () => refuse(409, 'Upload-Offset conflict\n');
const notFound = () => refuse(404, 'The file for this url was not found\n');

function byteCount(c: StorageRequest, name: string): number {
  const value = c.req.header(name) ?? '';
  if (!/^\d{1,15}$/.test(value)) throw refuse(400, `${name} header required\n`);
  return Number(value);
}

/** `key base64, key base64`; a key without a value stands for an empty one. */
function metadataIn(header: string | undefined): Map<string, string> {
  if (!header) throw invalidRequest('Metadata header is required');
  if (header.length > MAX_METADATA_LENGTH) throw refuse(400, 'Upload-Metadata is too long\n');
  const pairs = header.split(',').map(pair => pair.trim().split(' '));
  if (pairs.some(([key, , more]) => !key || more !== undefined)) throw refuse(400, 'Upload-Metadata is invalid\n');
  return new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]));
}

const isSignedPlace = (c: StorageRequest) => new URL(c.req.url).pathname.startsWith(`/storage/v1${PLACE}/sign`);

/** What the bearer, or the signed link, allows. @throws {StorageError} */
async function rightOf(c: StorageRequest, { signer }: Storage, bucket: string, name: string) {
  if (isSignedPlace(c)) {
    const signature = c.req.header('x-signature');
    if (!signature) throw invalidSignature();
    return { ...(await signer.verifyWrite(signature, { bucket, name })), isSigned: true };
  }
  return {
    ownerId: ownerOf(c.get('caller')),
    isUpsert: c.req.header('x-upsert') === 'true',
    isSigned: false,
    by: null,
  };
}

const bringingOf = (c: StorageRequest, { bucket, name, ownerId, isUpsert, by }: PendingUpload): ObjectUpload => ({
  bucket,
  name,
  ownerId,
  isUpsert,
  caller: by ?? c.get('caller'),
  operation: 'tus.upload',
});

async function announcedIn(c: StorageRequest, storage: Storage): Promise<PendingUpload> {
  const length = byteCount(c, 'Upload-Length');
  const metadata = metadataIn(c.req.header('Upload-Metadata'));
  const [bucket, name] = [validBucket(metadata.get('bucketName')), validKey(metadata.get('objectName'))];
  return {
    bucket,
    name,
    length,
    ...(await rightOf(c, storage, bucket, name)),
    mimetype: mimetypeOf(metadata.get('contentType')),
    cacheControl: cacheControlOf(metadata.get('cacheControl')),
    userMetadata: userMetadataOf(metadata.get('metadata') ?? null),
    expiresAt: Date.now() + LIFE_MS,
  };
}

const expiryOf = ({ expiresAt }: PendingUpload) => ({ 'Upload-Expires': new Date(expiresAt).toUTCString() });

/** Whole: under the rights of this moment it becomes the object. What is refused is dropped; a fault leaves it to be tried again. */
async function finish(c: StorageRequest, storage: Storage, upload: Upload): Promise<void> {
  const { files, uploads } = storage;
  const version = randomUUID();
  try {
    const bucket = await bucketOf(storage, upload.bucket);
    const most = limitOf(bucket, MAX_BYTES);
    const stored = await files.put(version, uploads.read(upload.id), inspector(bucket, upload.mimetype, most));
    const facts = {
      metadata: describeBytes(stored, upload.mimetype, upload.cacheControl),
      userMetadata: upload.userMetadata,
    };
    await orDrop(storage, version, () => pointTo(storage, bringingOf(c, upload), version, facts));
  } catch (error) {
    if (refusalOf(error)) await uploads.remove(upload.id);
    throw error;
  }
  await uploads.remove(upload.id);
}

type UploadStep = { storage: Storage; upload: Upload; letGo: AbortSignal };

/** Takes the bytes of this request. @returns the headers that say how far it is */
async function take(c: StorageRequest, { storage, upload, letGo }: UploadStep): Promise<Record<string, string>> {
  const { body } = c.req.raw;
  const outcome = body ? await storage.uploads.append(upload.id, body, upload.length - upload.offset, letGo) : 'ok';
  if (outcome === 'over') {
    await storage.uploads.remove(upload.id);
    throw refuse(413, 'Upload-Length was exceeded\n');
  }
  const offset = (await storage.uploads.find(upload.id))?.offset ?? upload.offset;
  const headers = { 'Upload-Offset': String(offset), ...expiryOf(upload) };
  if (offset < upload.length) return headers;
  await finish(c, storage, { ...upload, offset });
  return { ...headers, 'Tus-Complete': '1' };
}

async function create(c: StorageRequest, storage: Storage): Promise<Response> {
  const announced = await announcedIn(c, storage);
  const bucket = await bucketOf(storage, announced.bucket);
  if (announced.length > limitOf(bucket, MAX_BYTES)) throw tooLarge();
  checkType(bucket, announced.mimetype);
  await checkMayBring(storage, bringingOf(c, announced));
  const underway = await storage.uploads.sweep(Date.now(), announced);
  if (underway >= MAX_UNDERWAY) throw new StorageError('SlowDown', 429, 'Too many uploads are underway');
  const id = await storage.uploads.announce(announced);
  const upload: Upload = { ...announced, id, offset: 0 };
  const comesWithBytes = c.req.header('Content-Type') === CHUNK_TYPE;
  const progress =
    comesWithBytes || upload.length === 0
      ? await storage.uploads.alone(id, letGo => take(c, { storage, upload, letGo }))
      : expiryOf(upload);
  const location = `/storage/v1${PLACE}${isSignedPlace(c) ? '/sign' : ''}/${id}`;
  return new Response(null, { status: 201, headers: { ...progress, Location: location } });
}

/** Only who announced an upload learns of it; with a link, whoever holds the link. @throws {StorageError} */
async function ownUpload(c: StorageRequest, storage: Storage): Promise<Upload> {
  const id = c.req.param('id') ?? '';
  const found = await storage.uploads.find(id);
  if (!found || found.isSigned !== isSignedPlace(c)) throw notFound();
  const right = await rightOf(c, storage, found.bucket, found.name);
  if (right.ownerId !== found.ownerId) throw notFound();
  if (found.expiresAt <= Date.now()) {
    await storage.uploads.remove(id);
    throw refuse(410, 'The file for this url no longer exists\n');
  }
  return { ...found, id };
}

async function tell(c: StorageRequest, storage: Storage): Promise<Response> {
  const { id } = await ownUpload(c, storage);
  // A line that just broke may still be bringing its last bytes: they count.
  const upload = await storage.uploads.alone(id, () => ownUpload(c, storage));
  const headers = {
    'Upload-Offset': String(upload.offset),
    'Upload-Length': String(upload.length),
    'Cache-Control': 'no-store',
    ...expiryOf(upload),
  };
  return new Response(null, { status: 200, headers });
}

async function carryOn(c: StorageRequest, storage: Storage): Promise<Response> {
  if (c.req.header('Content-Type') !== CHUNK_TYPE) throw refuse(415, 'Invalid Content-Type\n');
  const from = byteCount(c, 'Upload-Offset');
  const { id, offset } = await ownUpload(c, storage);
  // It only grows: what is behind it now fits no more, whoever is at work on it.
  if (from < offset) throw conflict();
  const progress = await storage.uploads.alone(id, async letGo => {
    const upload = await ownUpload(c, storage);
    if (upload.offset !== from) throw conflict();
    await checkMayBring(storage, bringingOf(c, upload));
    return take(c, { storage, upload, letGo });
  });
  return new Response(null, { status: 204, headers: progress });
}

async function giveUp(c: StorageRequest, storage: Storage): Promise<Response> {
  const { id } = await ownUpload(c, storage);
  await storage.uploads.alone(id, () => storage.uploads.remove(id));
  return new Response(null, { status: 204 });
}

const options = () => {
  const headers = { 'Tus-Version': VERSION, 'Tus-Extension': EXTENSIONS, 'Tus-Max-Size': String(MAX_BYTES) };
  return new Response(null, { status: 204, headers });
};

/** Uploads that can be interrupted: the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). */
export function resumableRoutes(storage: Storage): Hono<GateVariables> {
  const routes = new Hono<GateVariables>();
  // Here the status is the true one, and the body the bare message.
  routes.onError(error => {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    // A browser sends a request again by itself when its line broke, from the old offset, and reads no answer before the
    // whole piece has left: only a closed line keeps it from sending in vain.
    const headers = { 'Tus-Resumable': VERSION, Connection: 'close' };
    return new Response(refusal.message, { status: refusal.status, headers });
  });
  routes.use('*', async (c, next) => {
    const isSpoken = c.req.method === 'OPTIONS' || c.req.header('Tus-Resumable') === VERSION;
    if (isSpoken) await next();
    else c.res = new Response('Tus-Resumable Required\n', { status: 412, headers: { 'Tus-Version': VERSION } });
    c.res.headers.set('Tus-Resumable', VERSION);
  });
  for (const place of ['/', '/sign']) {
    const upload = `${place === '/' ? '' : place}/:id`;
    routes.options(place, options);
    routes.post(place, c => create(c, storage));
    routes.options(upload, options);
    // HEAD is answered by the handler of GET.
    routes.get(upload, c => tell(c, storage));
    routes.patch(upload, c => carryOn(c, storage));
    routes.delete(upload, c => giveUp(c, storage));
  }
  return routes;
}
