import type { MiddlewareHandler } from 'hono';

const MB = 1024 * 1024;
const MAX_BYTES = 8 * MB;

const refusal = (): Response => {
  const message = `The answer is larger than ${MAX_BYTES / MB} MB: ask for fewer rows or columns`;
  return Response.json({ code: 'PT413', message, details: null, hint: null }, { status: 413 });
};

/** For /rest/v1 without the sync lane, whose pages are bounded by what they carry. */
export const limitAnswer: MiddlewareHandler = async (c, next) => {
  await next();
  const { body, status, headers } = c.res;
  if (!body) return;
  const bytes = await c.res.arrayBuffer();
  const isTooLarge = bytes.byteLength > MAX_BYTES;
  // Taken away first: what is set over a former answer keeps its headers.
  c.res = undefined;
  c.res = isTooLarge ? refusal() : new Response(bytes, { status, headers });
};
