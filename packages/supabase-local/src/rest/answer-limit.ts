import type { MiddlewareHandler } from 'hono';

const MB = 1024 * 1024;
const MAX_BYTES = 8 * MB;

const refusal = (): Response => {
  const message = `The answer is larger than ${MAX_BYTES / MB} MB: ask for fewer rows or columns`;
  return Response.json({ code: 'PT413', message, details: null, hint: null }, { status: 413 });
};

/** Whoever stands before may have the bytes of an answer as they are, where they are known. */
type AnswerBytesEnv = { Variables: { answered?: Uint8Array<ArrayBuffer> } };

/** For /rest/v1 without the calls of sync, whose pages are bounded by what they carry. */
export const limitAnswer: MiddlewareHandler<AnswerBytesEnv> = async (c, next) => {
  await next();
  const { body, status, headers } = c.res;
  if (!body) return;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const isTooLarge = bytes.byteLength > MAX_BYTES;
  // Taken away first: what is set over a former answer keeps its headers.
  c.res = undefined;
  if (!isTooLarge) c.set('answered', bytes);
  c.res = isTooLarge ? refusal() : new Response(bytes, { status, headers });
};
