import { bodyLimit } from 'hono/body-limit';
import type { Context } from 'hono';

const MB = 1024 * 1024;
export const JSON_LIMIT_BYTES = 10 * MB;
export const UPLOAD_LIMIT_BYTES = 60 * MB;

function tooLarge(c: Context, limit: number): Response {
  const message = `The request is larger than ${limit / MB} MB`;
  if (c.req.path.startsWith('/storage/'))
    return c.json({ statusCode: '413', code: 'EntityTooLarge', error: 'Payload too large', message }, 413);
  return c.json({ code: '413', message, details: null, hint: null }, 413);
}

/** lite 0.10 reads a body of any size into memory. */
export const limitJson = bodyLimit({ maxSize: JSON_LIMIT_BYTES, onError: c => tooLarge(c, JSON_LIMIT_BYTES) });

export const limitUpload = bodyLimit({ maxSize: UPLOAD_LIMIT_BYTES, onError: c => tooLarge(c, UPLOAD_LIMIT_BYTES) });
