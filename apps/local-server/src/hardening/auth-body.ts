import type { Context, MiddlewareHandler } from 'hono';

/** What lite uses as text without looking at it first. */
const TEXTS = ['email', 'password', 'phone', 'token', 'token_hash', 'refresh_token', 'type'];

const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';

/** Without quoting the body, which holds passwords. */
function oddity(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'it is not an object';
  const fields: Record<string, unknown> = { ...body };
  const odd = TEXTS.find(name => !isText(fields[name]));
  return odd === undefined ? null : `"${odd}" is not a string`;
}

/** The value an auth request carries, its body left unread; `{}` when it is empty or no JSON, which lite answers well. */
export async function authBody(c: Context): Promise<unknown> {
  const text = await c.req.raw.clone().text();
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * lite 0.10 reads fields off any JSON value: `null`, or a number where a text belongs, ends in 500. Here the caller is
 * told as GoTrue tells them.
 */
export const refuseOddAuthBodies: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'POST' && c.req.method !== 'PUT') return next();
  const odd = oddity(await authBody(c));
  if (odd === null) return next();
  const msg = `Could not parse request body as JSON: ${odd}`;
  return c.json({ code: 400, error_code: 'bad_json', msg }, 400);
};
