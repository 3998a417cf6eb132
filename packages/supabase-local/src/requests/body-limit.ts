import type { Context, MiddlewareHandler } from 'hono';
import type { Secrets } from '../access/secrets.ts';
import type { Caller } from '../access/bearer.ts';
import { BytesInFlight, type ByteLimits } from '../limits/bytes-in-flight.ts';
import type { GateVariables } from '../access/gate.ts';
import { jsonFault } from '../limits/json-bounds.ts';
import { shapeOf } from './body-shape.ts';
import { bytesOf, type BodyRefusal } from './reject-truncated-body.ts';

const KB = 1024;
const MB = 1024 * KB;
const JSON_LIMIT_BYTES = 10 * MB;
/** Of somebody without a session: a report of a public code has 64 kB, and photos come by a way of their own. */
const VISITOR_LIMIT_BYTES = 256 * KB;
/** A thousand names of files. */
const STORAGE_JSON_BYTES = MB;
export const UPLOAD_LIMIT_BYTES = 60 * MB;
/** Of so many bytes a body is small: most calls of a device are. */
const SMALL_BYTES = 64 * KB;
/**
 * Each body is there up to four times while it is answered, up to twice while it waits. Counted is what has come of it, not what was
 * announced. No two networks have the whole of a room between them; three, or two whole /48, may.
 */
const IN_FLIGHT = {
  sessions: {
    asker: 10 * MB,
    network: 16 * MB,
    all: 48 * MB,
    small: { bytes: SMALL_BYTES, asker: 512 * KB, network: MB, all: 16 * MB },
  },
  // Photos of reports are held whole; nothing else of a visitor is large.
  visitors: {
    asker: 10 * MB,
    network: 10 * MB,
    all: 30 * MB,
    small: { bytes: SMALL_BYTES, asker: 512 * KB, network: 512 * KB, all: 8 * MB },
  },
  // A sign-in has some hundred bytes. Before it everybody is a visitor, so that nobody's other bodies are in its way.
  signIn: { asker: 512 * KB, network: 512 * KB, all: 8 * MB },
};
/** Uploads pass on to the disk piece by piece; of one that was announced all is counted. */
const UPLOADS_IN_FLIGHT = {
  sessions: { asker: 256 * MB, network: 512 * MB, all: 2048 * MB },
  // By signed links only.
  visitors: { asker: 60 * MB, network: 60 * MB, all: 480 * MB },
};

/** How large the JSON of this caller may be, in bytes. */
export const maxJsonBytes = ({ role, claims }: Caller): number =>
  claims === null && role !== 'service_role' ? VISITOR_LIMIT_BYTES : JSON_LIMIT_BYTES;

/** A form with a file: it is bounded, and read, where it is answered. */
const PHOTO_PATHS: readonly string[] = ['/functions/v1/reports/photo', '/functions/v1/guests/photo'];

/** Bytes this asker may send in one body that is held whole. */
export function bodyBytes(c: Context<GateVariables>): number {
  if (PHOTO_PATHS.includes(c.req.path)) return JSON_LIMIT_BYTES;
  if (c.req.path.startsWith('/storage/')) return Math.min(STORAGE_JSON_BYTES, maxJsonBytes(c.get('caller')));
  return maxJsonBytes(c.get('caller'));
}

const STATUS = { large: 413, late: 408, broken: 408, network: 429, all: 503 } as const;
const SECONDS = '2';
const BUSY = { code: 'SlowDown', error: 'SlowDown' };
const STORAGE_MESSAGES = {
  413: { code: 'EntityTooLarge', error: 'Payload too large' },
  408: { code: 'Aborted', error: 'Aborted' },
  429: BUSY,
  503: BUSY,
};

const sizeOf = (limit: number) => (limit < MB ? `${limit / KB} kB` : `${limit / MB} MB`);
const messageOf = ({ why, limit }: BodyRefusal): string => {
  if (why === 'large') return `The request is larger than ${sizeOf(limit)}`;
  return why === 'late' || why === 'broken' ? 'The request did not arrive in time' : 'Too many bytes at once';
};

/** Each service words a refusal in its own shape; what there is no room for now may come again. */
export function refuseBody(c: Context, refusal: BodyRefusal): Response {
  const status = STATUS[refusal.why];
  const message = messageOf(refusal);
  if (status === 429 || status === 503) c.header('Retry-After', SECONDS);
  if (c.req.path.startsWith('/realtime/') && status === 413) return c.json({ message: 'Payload too large' }, status);
  if (!c.req.path.startsWith('/storage/'))
    return c.json({ code: String(status), message, details: null, hint: null }, status);
  // Of an upload the status is the true one, as there.
  const isJson = status === 413 && refusal.limit !== UPLOAD_LIMIT_BYTES;
  return c.json({ statusCode: String(status), ...STORAGE_MESSAGES[status], message }, isJson ? 400 : status);
}

const partOf = (limits: ByteLimits, share: number): ByteLimits => ({
  asker: limits.asker * share,
  network: limits.network * share,
  all: limits.all * share,
});

const partOfBoth = ({ small, ...large }: typeof IN_FLIGHT.sessions, share: number) => ({
  ...partOf(large, share),
  small: { ...partOf(small, share), bytes: small.bytes * share },
});

/**
 * The room for bodies that are held whole, that for those of signing in, and that for uploads.
 *
 * @param share of the room for whole bodies, where the machine has little memory
 */
export const bodyBudgets = (share = 1) => ({
  whole: new BytesInFlight(partOfBoth(IN_FLIGHT.sessions, share), partOfBoth(IN_FLIGHT.visitors, share)),
  signIn: new BytesInFlight(IN_FLIGHT.signIn),
  uploads: new BytesInFlight(UPLOADS_IN_FLIGHT.sessions, UPLOADS_IN_FLIGHT.visitors),
});

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

function noKey(c: Context): Response {
  const message = 'No API key found in request';
  if (c.req.path.startsWith('/functions/')) return c.json({ code: 401, message }, 401);
  if (c.req.path.startsWith('/storage/'))
    return c.json({ statusCode: '401', code: 'AccessDenied', error: 'Unauthorized', message: 'Invalid API key' }, 401);
  return c.json({ message, hint: 'No `apikey` request header or url param was found.' }, 401);
}

/** Behind the gate: whoever has neither a key of this installation nor a session has no byte of their body read. */
export function keyBeforeBody({ publishableKey, secretKey }: Secrets): MiddlewareHandler<GateVariables> {
  const isKey = (text: string | undefined) => text === publishableKey || text === secretKey;
  return async (c, next) => {
    if (WITHOUT_BODY.has(c.req.method) || c.get('caller').claims !== null) return next();
    const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
    if (isKey(c.req.header('apikey') ?? c.req.query('apikey')) || isKey(bearer)) return next();
    c.header('Connection', 'close');
    return noKey(c);
  };
}

const JSON_MESSAGES = { deep: 'The JSON is nested too deeply', numbers: 'A number in the JSON is too long' };

function refuseJson(c: Context, fault: keyof typeof JSON_MESSAGES): Response {
  const message = JSON_MESSAGES[fault];
  if (c.req.path.startsWith('/functions/')) return c.json({ code: 'invalid', message }, 400);
  return c.json({ code: 'PGRST102', message, details: null, hint: null }, 400);
}

const isObject = (bytes: Uint8Array): boolean => {
  const shape = shapeOf(bytes);
  return !('fault' in shape) && !shape.isArray;
};

/** For REST and functions, behind the whole body: what would be parsed has a bottom, and what a service gets is an object. */
export const boundedJson: MiddlewareHandler<GateVariables> = async (c, next) => {
  const bytes = bytesOf(c.req.raw);
  if (!bytes || bytes.byteLength === 0 || PHOTO_PATHS.includes(c.req.path)) return next();
  const fault = jsonFault(bytes);
  if (fault) return refuseJson(c, fault);
  if (c.req.path.startsWith('/functions/') && !isObject(bytes))
    return c.json({ code: 'invalid', message: 'The body must be a JSON object' }, 400);
  return next();
};
