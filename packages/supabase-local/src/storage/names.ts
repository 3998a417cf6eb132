import { invalidBucketName, invalidKey } from './storage-error.ts';

/** What S3 holds to be safe, as Supabase has it. */
const KEY = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const BUCKET = /^[\w!\-.*'() &$@=;:+,?]+$/;
const MAX_KEY_LENGTH = 1024;
const MAX_BUCKET_LENGTH = 63;

/** What is shown of a name that may be anything. */
const shown = (key: string) => key.slice(0, 100).replaceAll(/[^\x20-\x7e]/g, '?');

/** Stricter than Supabase in one thing: no segment is empty, `.` or `..`, so that no name means two things to two readers. */
const isKey = (key: string) =>
  key.length <= MAX_KEY_LENGTH && KEY.test(key) && key.split('/').every(part => !['', '.', '..'].includes(part));

/** @throws {StorageError} InvalidKey */
export function validKey(key: unknown): string {
  if (typeof key === 'string' && isKey(key)) return key;
  throw invalidKey(typeof key === 'string' ? shown(key) : '');
}

/** @throws {StorageError} InvalidBucketName */
export function validBucket(name: unknown): string {
  if (typeof name === 'string' && name.length <= MAX_BUCKET_LENGTH && BUCKET.test(name) && !/^\.+$/.test(name))
    return name;
  throw invalidBucketName();
}

export type Target = { bucket: string; name: string };

/**
 * Bucket and object of a path below `/storage/v1`, read from what was sent, decoded once.
 *
 * @throws {StorageError} InvalidBucketName or InvalidKey
 */
export function targetIn(requestUrl: string, prefix: string): Target {
  const { pathname } = new URL(requestUrl);
  const rest = pathname.slice(`/storage/v1${prefix}/`.length);
  let decoded: string;
  try {
    decoded = decodeURIComponent(rest);
  } catch (error) {
    if (error instanceof URIError) throw invalidKey(shown(rest));
    throw error;
  }
  const slash = decoded.indexOf('/');
  if (slash === -1) return { bucket: validBucket(decoded), name: validKey('') };
  return { bucket: validBucket(decoded.slice(0, slash)), name: validKey(decoded.slice(slash + 1)) };
}
