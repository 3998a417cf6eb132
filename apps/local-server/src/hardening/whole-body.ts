import type { Context, MiddlewareHandler } from 'hono';

/** A push of 10 MB from a phone that sends 1 Mbit/s; longer nobody keeps a place here. */
const PATIENCE_MS = 120_000;

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

function tooSlow(c: Context): Response {
  c.header('Connection', 'close');
  return c.json({ code: '408', message: 'The request did not arrive in time', details: null, hint: null }, 408);
}

const bodies = new WeakMap<Request, Uint8Array>();

/** The body of a request that went through `wholeBody`, without using it up; undefined where there is none. */
export const bytesOf = (request: Request): Uint8Array | undefined => bodies.get(request);

async function arriving(request: Request, patienceMs: number): Promise<ArrayBuffer | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), patienceMs);
    timer.unref();
  });
  return Promise.race([request.arrayBuffer(), late]).finally(() => clearTimeout(timer));
}

/**
 * Stands before the gate: who asks is looked at when everything they ask is there. Otherwise a request begun before a session
 * ended is carried out after it, however long its last byte takes.
 */
export function wholeBody(patienceMs = PATIENCE_MS): MiddlewareHandler {
  return async (c, next) => {
    const { raw } = c.req;
    if (WITHOUT_BODY.has(raw.method)) return next();
    const { url, method, headers, signal } = raw;
    const bytes = await arriving(raw, patienceMs);
    if (!bytes) return tooSlow(c);
    c.req.raw = new Request(url, { method, headers, signal, body: bytes.byteLength > 0 ? bytes : null });
    bodies.set(c.req.raw, new Uint8Array(bytes));
    return next();
  };
}
