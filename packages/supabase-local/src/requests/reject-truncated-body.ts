import type { Context, MiddlewareHandler } from 'hono';
import type { BytesInFlight, ByteReservation } from '../limits/bytes-in-flight.ts';
import { noteHeldBody } from '../limits/waiting-body.ts';
import { senderOf } from './sender-of.ts';
import { LineBroken, chunksOf } from './upload-line.ts';

/** ms; a push of 10 MB from a phone that sends 1 Mbit/s; longer nobody keeps a place here. */
const PATIENCE_MS = 120_000;
/** ms for somebody without a session, whose bodies are small. */
const VISITOR_PATIENCE_MS = 20_000;
/** ms within which a body counts as having come with the request: who sends it was looked at just before. */
const AT_ONCE_MS = 10;
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Why a body is not taken: longer than its asker may send, too slow, no room for it now, or a line that broke. */
export type BodyRefusal = { why: 'large' | 'late' | 'network' | 'all' | 'broken'; limit: number };

export type BodyRules<C extends Context = Context> = {
  flight: BytesInFlight;
  /** Bytes this asker may send here. */
  limitOf(c: C): number;
  refuse(c: Context, refusal: BodyRefusal): Response;
  /** Asked once more of a body that took its time: its session may have ended meanwhile. */
  guard?: MiddlewareHandler;
  patienceMs?: number;
};

const bodies = new WeakMap<Request, Uint8Array<ArrayBuffer>>();

/** The body of a request that went through `rejectTruncatedBody`, without using it up; undefined where there is none. */
export const bytesOf = (request: Request): Uint8Array<ArrayBuffer> | undefined => bodies.get(request);

/** Lets `bytesOf` know the body of a request that stands for another. */
export function withBytes(request: Request, bytes: Uint8Array<ArrayBuffer> | null): Request {
  if (bytes) bodies.set(request, bytes);
  return request;
}

/** Bytes a request says its body has; null where it does not say, NaN for what is no number. */
export function declaredBytes(c: Context): number | null {
  const header = c.req.header('Content-Length');
  if (header === undefined) return null;
  return /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN;
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

type ReadOptions = {
  limit: number;
  hold: ByteReservation;
  letGo: AbortSignal;
};

/** Takes room as it comes, piece by piece: what was only announced is in nobody's way. */
async function arriving(
  body: ReadableStream<Uint8Array>,
  { limit, hold, letGo }: ReadOptions,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal['why']> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(body, { letGo })) {
    length += chunk.byteLength;
    if (length > limit) return 'large';
    if (!hold.grow(chunk.byteLength)) return hold.isFull(chunk.byteLength) ? 'network' : 'all';
    chunks.push(chunk);
  }
  hold.settle();
  return joined(chunks, length);
}

async function take(
  c: Context,
  rules: BodyRules,
  hold: ByteReservation,
  givenUp: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | BodyRefusal['why']> {
  const { body } = c.req.raw;
  const [limit, declared] = [rules.limitOf(c), declaredBytes(c)];
  if (declared !== null && !(declared <= limit)) return 'large';
  const sender = senderOf(c);
  // Told before the first byte, where it is known already.
  if (declared !== null && rules.flight.isFull(sender, declared)) return 'network';
  if (!body) return new Uint8Array();
  const isVisitor = sender.person === null;
  const late = AbortSignal.timeout(rules.patienceMs ?? (isVisitor ? VISITOR_PATIENCE_MS : PATIENCE_MS));
  try {
    return await arriving(body, { limit, hold, letGo: AbortSignal.any([late, givenUp]) });
  } catch (error) {
    if (!(error instanceof LineBroken)) throw error;
    if (givenUp.aborted) return 'all';
    return late.aborted ? 'late' : 'broken';
  }
}

/**
 * Takes the body before anything else looks at it: as long as its asker may send, while there is room for it, within its time.
 * Stands behind whatever judges who asks, and has them looked at again when the last byte took its time: otherwise a request begun
 * before a session ended is carried out after it.
 */
export function rejectTruncatedBody(rules: BodyRules): MiddlewareHandler {
  return async (c, next) => {
    const { raw } = c.req;
    if (WITHOUT_BODY.has(raw.method)) return next();
    const begun = performance.now();
    const givenUp = new AbortController();
    const hold = rules.flight.begin(senderOf(c), () => givenUp.abort());
    try {
      const bytes = await take(c, rules, hold, givenUp.signal);
      if (typeof bytes === 'string') {
        // Nobody reads the rest of it.
        c.header('Connection', 'close');
        return rules.refuse(c, { why: bytes, limit: rules.limitOf(c) });
      }
      const { url, method, headers, signal } = raw;
      const body = bytes.byteLength > 0 ? bytes : null;
      c.req.raw = withBytes(new Request(url, { method, headers, signal, body }), bytes);
      noteHeldBody(c, { hold, refuse: () => rules.refuse(c, { why: 'all', limit: rules.limitOf(c) }) });
      const isLate = performance.now() - begun > AT_ONCE_MS;
      return await (isLate && rules.guard ? rules.guard(c, next) : next());
    } finally {
      hold.release();
    }
  };
}
