import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import { BodyPrefix } from './begun-body.ts';
import { PacedResponse } from './paced-response.ts';

const WORTH_IT_BYTES = 1024;
/** A first pull is a fifth smaller than at the fastest level, for 3 ms of a thread a page. */
const LEVEL = 7;
/**
 * An answer lies column by column: ids, then words, then times. Codes are made anew for each few thousand letters, not for each
 * sixteen thousand, in which ids and words would share theirs: 5 % less.
 */
const MEMORY = 5;
/** Bytes that leave at once: a device that knows the head of a page asks for the next one (decision 08). */
const HEAD = 32 * 1024;
const CHUNK = 64 * 1024;
/** Bytes of an answer that is packed where whoever made it did not have them as bytes: what is longer passes on as it is, piece by piece. */
const MAX_BYTES = 1024 * 1024;
/** Bytes that may wait for a slow reader, who is timed and whose answer is counted (paced-response.ts). All of an answer: what is packed takes a sixth of what waits to be packed. */
const AHEAD = 64 * 1024 * 1024;

const gzipAsync = promisify(gzip);

/** Files as they are stored, of any size: packed for each who asks they would take memory and time without end. */
const STORED = /^\/storage\/v1\/object\//;

const isText = (type: string) => /^(application\/([\w.+-]*json)|text\/)/.test(type);

async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (bytes.byteLength <= HEAD) return gzipAsync(bytes, { level: LEVEL, memLevel: MEMORY });
  const packing = createGzip({ level: LEVEL, memLevel: MEMORY, chunkSize: CHUNK });
  packing.write(bytes.subarray(0, HEAD));
  packing.flush(constants.Z_SYNC_FLUSH, () => packing.end(bytes.subarray(HEAD)));
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: AHEAD });
  return Readable.toWeb(packing, { strategy }) as ReadableStream<Uint8Array>;
}

/**
 * The bytes of the answer, where whoever made it had them: what is read out of a `Response` was copied three times, and megabytes that
 * lie about have V8 look through the whole heap twice a first pull.
 */
export type AnswerVariables = { Variables: { answered?: Uint8Array<ArrayBuffer> } };

/** What is packed here lies in memory: whoever reads it slowly is counted with all of it. */
function takeAll({ env }: Context): void {
  const { outgoing }: { outgoing?: unknown } = env ?? {};
  if (outgoing instanceof PacedResponse) outgoing.takeAll();
}

function replace(c: Context, body: BodyInit, headers: Headers): void {
  const { status } = c.res;
  // Taken away first: what is set over a former answer keeps its headers.
  c.res = undefined;
  c.res = new Response(body, { status, headers });
}

/** Compresses textual API answers in the thread pool, so that a large page does not hold up other requests. */
export function compressAnswers(): MiddlewareHandler<AnswerVariables> {
  return async (c, next) => {
    // Asked first: whoever answers may be handed a request with fewer headers.
    const accepts = /\bgzip\b/.test(c.req.header('Accept-Encoding') ?? '');
    const isStored = c.req.method === 'GET' && STORED.test(c.req.path);
    await next();
    const { res } = c;
    const isPlain = !res.headers.has('Content-Encoding') && isText(res.headers.get('Content-Type') ?? '');
    if (!accepts || !isPlain || isStored || c.req.method === 'HEAD') return;
    const answered = c.get('answered');
    if (!answered && !res.body) return;
    const headers = new Headers(res.headers);
    headers.append('Vary', 'Accept-Encoding');
    const begun = answered || !res.body ? null : await BodyPrefix.of(res.body, MAX_BYTES);
    const bytes = answered ?? begun?.whole;
    if (!bytes) return replace(c, begun?.stream() ?? '', headers);
    headers.delete('Content-Length');
    if (bytes.byteLength < WORTH_IT_BYTES) return replace(c, bytes, headers);
    headers.set('Content-Encoding', 'gzip');
    takeAll(c);
    replace(c, await packed(bytes), headers);
  };
}
