import { bodyLimit } from 'hono/body-limit';
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from './bearer.ts';
import type { GateVariables } from './gate.ts';
import { isBottomless } from './json-bounds.ts';
import { bytesOf } from './whole-body.ts';

const KB = 1024;
const MB = 1024 * KB;
export const JSON_LIMIT_BYTES = 10 * MB;
/** Of somebody without a session: a report of a public code has 64 kB, and photos come by a way of their own. */
const VISITOR_LIMIT_BYTES = 256 * KB;
export const UPLOAD_LIMIT_BYTES = 60 * MB;

function tooLarge(c: Context, limit: number): Response {
  const size = limit < MB ? `${limit / KB} kB` : `${limit / MB} MB`;
  const message = `The request is larger than ${size}`;
  if (c.req.path.startsWith('/storage/'))
    return c.json({ statusCode: '413', code: 'EntityTooLarge', error: 'Payload too large', message }, 413);
  return c.json({ code: '413', message, details: null, hint: null }, 413);
}

/** lite 0.10 reads a body of any size into memory. */
export const limitJson = bodyLimit({ maxSize: JSON_LIMIT_BYTES, onError: c => tooLarge(c, JSON_LIMIT_BYTES) });

export const limitUpload = bodyLimit({ maxSize: UPLOAD_LIMIT_BYTES, onError: c => tooLarge(c, UPLOAD_LIMIT_BYTES) });

/** How large the JSON of this caller may be, in bytes. */
export const mostJsonBytes = ({ role, claims }: Caller): number =>
  claims === null && role !== 'service_role' ? VISITOR_LIMIT_BYTES : JSON_LIMIT_BYTES;

/** A form with a file: it is bounded, and read, where it is answered. */
const PHOTO_PATHS: readonly string[] = ['/functions/v1/reports/photo', '/functions/v1/guests/photo'];
/** The library reads these into cells, without a depth. */
const CELLS = /^(text\/csv|application\/x-www-form-urlencoded)\b/i;

function tooDeep(c: Context): Response {
  const message = 'The JSON is nested too deeply';
  if (c.req.path.startsWith('/functions/')) return c.json({ code: 'invalid', message }, 400);
  return c.json({ code: 'PGRST102', message, details: null, hint: null }, 400);
}

/** For REST and functions, behind wholeBody and the gate: whatever would be parsed is small enough, for who sends it, to be. */
export const boundedJson: MiddlewareHandler<GateVariables> = async (c, next) => {
  const bytes = bytesOf(c.req.raw);
  if (!bytes || PHOTO_PATHS.includes(c.req.path)) return next();
  const most = mostJsonBytes(c.get('caller'));
  if (bytes.byteLength > most) return tooLarge(c, most);
  const isCells = c.req.path.startsWith('/rest/') && CELLS.test(c.req.header('Content-Type') ?? '');
  return !isCells && isBottomless(bytes) ? tooDeep(c) : next();
};
