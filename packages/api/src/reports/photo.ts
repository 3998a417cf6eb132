import { createHash } from 'node:crypto';
import { bodyLimit } from 'hono/body-limit';
import { Hono, type Context } from 'hono';
import { pictureShape, type PictureShape } from '@cairn/base/picture-shape.ts';
import { asServer, type BackendAccess } from '../backend-access.ts';
import { readSmallForm } from '../small-form.ts';

/** What was announced with the report; `name` is its path in the bucket, made by the database. */
type ExpectedPhoto = { name: string; bytes: number; sha256: string; stored: boolean };
/** What the database is asked for a photo, and told of one that was stored. */
type PhotoCalls = { find: string; keep: string };
type UploadedPhoto = { key: string; number: number; bytes: Uint8Array<ArrayBuffer> };

const BUCKET = 'media';
/** bytes; a photo and what a form wraps around it. */
const MAX_BODY_BYTES = 8_100_000;

const refuse = (c: Context, status: 400 | 404 | 409 | 413 | 415 | 502, code: string, message: string) =>
  c.json({ code, message }, status);

async function uploadIn(c: Context): Promise<UploadedPhoto | null> {
  const form = await readSmallForm(await c.req.arrayBuffer(), c.req.header('Content-Type') ?? '');
  if (!form) return null;
  const [key, number, photo] = [form.get('key'), form.get('number'), form.get('photo')];
  if (typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key)) return null;
  if (typeof number !== 'string' || !/^[1-5]$/.test(number) || !(photo instanceof File)) return null;
  return { key, number: Number(number), bytes: new Uint8Array(await photo.arrayBuffer()) };
}

const isAnnounced = ({ bytes, sha256 }: ExpectedPhoto, uploaded: Uint8Array): boolean =>
  uploaded.byteLength === bytes && createHash('sha256').update(uploaded).digest('hex') === sha256;

/** A picture and nothing else: what hangs behind its end could be read as something else by somebody else. */
function pictureIn(bytes: Uint8Array): PictureShape | null {
  const shape = pictureShape(bytes);
  return shape?.end === bytes.byteLength ? shape : null;
}

/** Stores the bytes; that they lie there already, from a call whose answer was lost, is as good. */
async function store(access: BackendAccess, { name }: ExpectedPhoto, bytes: Uint8Array<ArrayBuffer>, mime: string) {
  const { error } = await asServer(access)
    .storage.from(BUCKET)
    .upload(name, bytes, { contentType: mime, cacheControl: '0', upsert: false });
  return error === null || ('statusCode' in error && error.statusCode === '409');
}

async function take(c: Context, access: BackendAccess, calls: PhotoCalls): Promise<Response> {
  const uploaded = await uploadIn(c);
  if (!uploaded) return refuse(c, 400, 'invalid', 'The body must be a form with key, number and photo');
  const { key, number, bytes } = uploaded;
  const server = asServer(access);
  const found = await server.rpc(calls.find, { p_key: key, p_n: number });
  if (found.error) return refuse(c, 502, 'unavailable', 'The database did not answer');
  const announced = found.data as ExpectedPhoto | null;
  if (!announced) return refuse(c, 404, 'not_found', 'Nothing announced this photo');
  if (announced.stored) return c.json({ stored: true });
  if (!isAnnounced(announced, bytes))
    return refuse(c, 409, 'hash_mismatch', 'This is not the photo that was announced');
  const picture = pictureIn(bytes);
  if (!picture) return refuse(c, 415, 'wrong_type', 'This is not a whole picture of a known type');
  if (!(await store(access, announced, bytes, picture.mime)))
    return refuse(c, 502, 'unavailable', 'The photo could not be stored');
  const { mime: p_mime, width: p_width, height: p_height } = picture;
  const kept = await server.rpc(calls.keep, { p_key: key, p_n: number, p_mime, p_width, p_height });
  if (kept.error) return refuse(c, 502, 'unavailable', 'The database did not answer');
  return c.json({ stored: true });
}

/**
 * `POST /photo`, a form of `key`, `number` (1 to 5) and `photo`: brings one photo that was announced without signing in. The key,
 * which only the phone it was made on knows, is the right to bring exactly those bytes.
 */
export function photoRoute(access: BackendAccess, calls: PhotoCalls): Hono {
  const tooLarge = (c: Context) => refuse(c, 413, 'too_large', 'A photo has at most 8 MB');
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge });
  return new Hono().post('/photo', limit, c => take(c, access, calls));
}

/** Photos of a report made by a public code. */
export const REPORT_PHOTOS: PhotoCalls = { find: 'public_report_photo', keep: 'save_public_photo' };
/** Photos of what a guest said of an action item. */
export const GUEST_PHOTOS: PhotoCalls = { find: 'guest_reply_photo', keep: 'save_guest_photo' };
