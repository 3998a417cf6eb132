import type { MiddlewareHandler } from 'hono';

const MB = 1024 * 1024;
const MOST_BYTES = 32 * MB;

/** For /rest/v1 without the sync lane, whose pages are bounded by what they carry. */
export const limitAnswer: MiddlewareHandler = async (c, next) => {
  await next();
  const { body } = c.res;
  if (!body) return;
  const bytes = await c.res.clone().arrayBuffer();
  if (bytes.byteLength <= MOST_BYTES) return;
  const message = `The answer is larger than ${MOST_BYTES / MB} MB: ask for fewer rows or columns`;
  c.res = undefined;
  c.res = Response.json({ code: 'PT413', message, details: null, hint: null }, { status: 413 });
};
