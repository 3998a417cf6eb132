import type { Bytes } from './file-store.ts';
import { isBottomless } from '../limits/json-bounds.ts';
import { chunksOf } from '../requests/upload-line.ts';
import { fileInForm } from './form-file.ts';
import { invalidMimeType, invalidRequest } from './storage-error.ts';
import type { StorageRequest } from './storage-context.ts';

/** What came with an upload, whichever way the client sent it. */
export type Upload = {
  body: Bytes;
  mimetype: string;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
};

const DEFAULT_TYPE = 'application/octet-stream';
const TYPE = /^[\w.+-]+\/[\w.+*-]+\s*(;[\x20-\x7e]*)?$/;
const MAX_TYPE_LENGTH = 255;
const MAX_METADATA_BYTES = 1024 * 1024;

/** @throws {StorageError} when it is no type that could be sent back in a header */
export function mimetypeOf(text: string | null | undefined): string {
  const type = text?.trim() || DEFAULT_TYPE;
  if (type.length > MAX_TYPE_LENGTH || !TYPE.test(type)) throw invalidMimeType(type.slice(0, 60));
  return type;
}

/** @param seconds as clients send it; anything but a number means that nothing is kept */
export const cacheControlOf = (seconds: unknown): string =>
  typeof seconds === 'string' && /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache';

/** The header is sent back with the object, so only what is plainly one is kept. */
const cacheHeader = (text: string | undefined): string =>
  text !== undefined && /^[\w=,\- ]{1,100}$/.test(text) ? text : 'no-cache';

/** @throws {StorageError} when it is no JSON object */
export function userMetadataOf(text: string | null): Record<string, unknown> | null {
  if (text === null || text === '') return null;
  if (text.length > MAX_METADATA_BYTES) throw invalidRequest('The metadata is too large');
  if (isBottomless(Buffer.from(text))) throw invalidRequest('The metadata is nested too deeply');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalidRequest('The metadata must be a JSON object');
  return Object.fromEntries(Object.entries(parsed));
}

async function fromForm(body: ReadableStream<Uint8Array> | null, type: string): Promise<Upload> {
  const { bytes, mimetype, fields, stop } = await fileInForm(chunksOf(body ?? new Blob([]).stream()), type);
  try {
    return {
      body: bytes,
      mimetype: mimetypeOf(fields.get('contentType') ?? mimetype),
      cacheControl: cacheControlOf(fields.get('cacheControl')),
      userMetadata: userMetadataOf(fields.get('metadata') ?? null),
    };
  } catch (error) {
    stop();
    throw error;
  }
}

/** supabase-js sends a Blob or File as a form whose file field has no name, everything else as it is. @throws {StorageError} */
export async function readUpload(c: StorageRequest): Promise<Upload> {
  const type = c.req.header('Content-Type');
  if (type?.toLowerCase().startsWith('multipart/form-data')) return fromForm(c.req.raw.body, type);
  const { body } = c.req.raw;
  const metadata = c.req.header('x-metadata');
  return {
    body: body ? chunksOf(body) : [],
    mimetype: mimetypeOf(type),
    cacheControl: cacheHeader(c.req.header('Cache-Control')),
    userMetadata: userMetadataOf(metadata === undefined ? null : Buffer.from(metadata, 'base64').toString('utf8')),
  };
}
