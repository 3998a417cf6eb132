import { Readable } from 'node:stream';
import type { Range } from './file-store.ts';
import type { ObjectRow } from './object-rows.ts';
import type { Storage, StorageRequest } from './storage-context.ts';
import { noSuchKey, StorageError } from './storage-error.ts';

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** @returns the bytes asked for, null for all of them (also when the header is not understood), or `beyond` */
export function rangeOf(header: string | undefined, size: number): Range | null | 'beyond' {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'beyond' : { start: Math.max(size - Number(last), 0), end: size - 1 };
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'beyond' : { start, end };
}

/** A name to save under, also one that ASCII cannot hold (RFC 6266). */
function disposition(download: string, name: string): string {
  if (download === '') return 'attachment';
  const plain = download.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_') || name;
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(download).replaceAll("'", '%27')}`;
}

/** What a browser would run or show as a page is only ever saved. */
const IS_ACTIVE = /javascript|ecmascript|html|xml(?!formats)|svg/i;

/** Who may have it: anybody, whoever the policies let in, or whoever holds a link (until when, in seconds since 1970). */
export type Audience = 'public' | 'private' | { ends: number };

/** What is not anybody's no cache keeps for others, whatever whoever brought it wished. */
function cacheOf(wished: string, audience: Audience): string {
  if (audience === 'public') return wished;
  return audience === 'private' ? 'private, no-cache' : 'private, no-store';
}

function headersOf(row: ObjectRow, audience: Audience, download: string | undefined): Headers {
  const { metadata, name, updated_at } = row;
  const headers = new Headers({
    'Content-Type': metadata.mimetype,
    'Cache-Control': cacheOf(metadata.cacheControl, audience),
    ETag: metadata.eTag,
    'Last-Modified': new Date(updated_at).toUTCString(),
    'Accept-Ranges': 'bytes',
  });
  if (audience !== 'public') headers.set('Vary', 'Authorization');
  const saved = download ?? (IS_ACTIVE.test(metadata.mimetype) ? '' : undefined);
  if (saved !== undefined) headers.set('Content-Disposition', disposition(saved, name.split('/').at(-1) ?? 'file'));
  return headers;
}

function isUnchanged(c: StorageRequest, { metadata, updated_at }: ObjectRow): boolean {
  const known = c.req.header('If-None-Match');
  if (known !== undefined) return known.split(',').some(tag => tag.trim().replace(/^W\//, '') === metadata.eTag);
  const since = Date.parse(c.req.header('If-Modified-Since') ?? '');
  return !Number.isNaN(since) && Math.floor(Date.parse(updated_at) / 1000) * 1000 <= since;
}

/** A range asked for "if it is still that one" is the whole when it is not. */
function askedRange(c: StorageRequest, row: ObjectRow, size: number): Range | null | 'beyond' {
  const condition = c.req.header('If-Range');
  const isOther = condition !== undefined && condition !== row.metadata.eTag;
  return isOther ? null : rangeOf(c.req.header('Range'), size);
}

/**
 * Answers with an object's bytes, or the part asked for, or 304.
 *
 * @throws {StorageError}
 */
export async function sendObject(
  c: StorageRequest,
  storage: Storage,
  row: ObjectRow,
  audience: Audience,
): Promise<Response> {
  const headers = headersOf(row, audience, c.req.query('download'));
  if (typeof audience === 'object') headers.set('Expires', new Date(audience.ends * 1000).toUTCString());
  if (isUnchanged(c, row)) return new Response(null, { status: 304, headers });
  const size = await storage.files.size(row.version);
  if (size === null) {
    storage.log.error({ version: row.version }, 'the bytes of a stored object are missing');
    throw noSuchKey();
  }
  const range = askedRange(c, row, size);
  if (range === 'beyond')
    throw new StorageError('InvalidRange', 416, 'invalid range provided', { error: 'invalid_range', httpStatus: 416 });
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : size));
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  const isEmpty = c.req.method === 'HEAD' || size === 0;
  const body = isEmpty ? null : Readable.toWeb(storage.files.read(row.version, range ?? undefined));
  // Node's type of a stream and the web's differ by name only.
  return new Response(body as BodyInit | null, { status: range ? 206 : 200, headers });
}
