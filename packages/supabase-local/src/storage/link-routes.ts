import { Hono } from 'hono';
import type { Caller } from '../access/bearer.ts';
import type { GateVariables } from '../access/gate.ts';
import { targetIn, validBucket, validKey, type Target } from './names.ts';
import { bucketOf, findObject } from './object-rows.ts';
import { ownerOf } from './object-routes.ts';
import { sendObject } from './send-object.ts';
import { asCaller, jsonBody, type Storage, type StorageRequest } from './storage-context.ts';
import { invalidRequest } from './storage-error.ts';
import { checkMayBring, checkMayReplace, storeObject } from './store-object.ts';
import { readUpload } from './upload-body.ts';

/** Two hours, as Supabase has it. */
const UPLOAD_LINK_S = 7200;
const MAX_LINK_S = 10 * 365 * 24 * 3600;
/** Seconds a link to evidence works at most, whatever was asked for. */
const MAX_READ_LINK_S: Readonly<Record<string, number>> = { media: 3600 };
const MAX_LINKS = 500;
const NOT_THERE = 'Either the object does not exist or you do not have access to it';

function lifeIn(body: Record<string, unknown>): number {
  const seconds = body['expiresIn'];
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > MAX_LINK_S)
    throw invalidRequest(`body/expiresIn must be an integer from 1 to ${MAX_LINK_S}`);
  return seconds;
}

const encoded = ({ bucket, name }: Target) => [bucket, ...name.split('/')].map(encodeURIComponent).join('/');

/** The client encodes the whole link once more, so names go in as they are; the token needs no encoding. */
async function linkTo(storage: Storage, target: Target, by: Caller, lifeS: number): Promise<string> {
  const token = await storage.signer.signRead(target, by, Math.min(lifeS, MAX_READ_LINK_S[target.bucket] ?? lifeS));
  return `/object/sign/${target.bucket}/${target.name}?token=${token}`;
}

async function signOne(c: StorageRequest, storage: Storage): Promise<Response> {
  const target = targetIn(c.req.url, '/object/sign');
  const lifeS = lifeIn(await jsonBody(c));
  await asCaller(storage, c.get('caller'), 'object.sign', tx => findObject(tx, target));
  return c.json({ signedURL: await linkTo(storage, target, c.get('caller'), lifeS) });
}

async function signMany(c: StorageRequest, storage: Storage): Promise<Response> {
  const bucket = validBucket(c.req.param('bucket'));
  const body = await jsonBody(c);
  const lifeS = lifeIn(body);
  const { paths } = body;
  if (!Array.isArray(paths) || paths.length === 0 || paths.length > MAX_LINKS)
    throw invalidRequest(`body/paths must hold 1 to ${MAX_LINKS} names`);
  const names = paths.map((path: unknown) => validKey(path));
  const rows = await asCaller(
    storage,
    c.get('caller'),
    'object.sign_many',
    tx =>
      tx<{ name: string }[]>`select name from storage.objects where bucket_id = ${bucket} and name = any (${names})`,
  );
  const seen = new Set(rows.map(row => row.name));
  const links = names.map(async path => {
    if (!seen.has(path)) return { error: NOT_THERE, path, signedURL: null };
    return { error: null, path, signedURL: await linkTo(storage, { bucket, name: path }, c.get('caller'), lifeS) };
  });
  return c.json(await Promise.all(links));
}

function tokenIn(c: StorageRequest): string {
  const token = c.req.query('token');
  if (!token) throw invalidRequest("querystring must have required property 'token'");
  return token;
}

async function followLink(c: StorageRequest, storage: Storage): Promise<Response> {
  const target = targetIn(c.req.url, '/object/sign');
  const { ends, by } = await storage.signer.verifyRead(tokenIn(c), target);
  // Whoever made it must still be let in, so that it ends with their rights (decision 23).
  const object = await asCaller(storage, by, 'object.get_authenticated', tx => findObject(tx, target));
  return sendObject(c, storage, object, { ends });
}

async function signUpload(c: StorageRequest, storage: Storage): Promise<Response> {
  const target = targetIn(c.req.url, '/object/upload/sign');
  const caller = c.get('caller');
  const isUpsert = c.req.header('x-upsert') === 'true';
  const ownerId = ownerOf(caller);
  await bucketOf(storage, target.bucket);
  const bringing = { ...target, caller, ownerId, isUpsert, operation: 'object.sign_upload_url' };
  await checkMayBring(storage, bringing);
  if (isUpsert) await checkMayReplace(storage, bringing);
  const token = await storage.signer.signWrite(target, { ownerId, isUpsert, by: caller }, UPLOAD_LINK_S);
  return c.json({ url: `/object/upload/sign/${encoded(target)}?token=${token}`, token });
}

/** Whoever made the link must still be allowed to, also when the bytes are there; a header cannot add what the link lacks. */
async function uploadByLink(c: StorageRequest, storage: Storage): Promise<Response> {
  const target = targetIn(c.req.url, '/object/upload/sign');
  const { by, ...right } = await storage.signer.verifyWrite(tokenIn(c), target);
  const bringing = { ...target, ...right, caller: by, operation: 'object.upload_signed' };
  await storeObject(storage, bringing, () => readUpload(c));
  return c.json({ Key: `${target.bucket}/${target.name}` });
}

/** Links that let whoever holds them read, or bring, one object for a while. */
export function linkRoutes(storage: Storage): Hono<GateVariables> {
  const routes = new Hono<GateVariables>();
  routes.post('/object/sign/:bucket', c => signMany(c, storage));
  routes.post('/object/sign/*', c => signOne(c, storage));
  routes.get('/object/sign/*', c => followLink(c, storage));
  routes.post('/object/upload/sign/*', c => signUpload(c, storage));
  routes.put('/object/upload/sign/*', c => uploadByLink(c, storage));
  return routes;
}
