import { Hono, type Context } from 'hono';
import { etag } from 'hono/etag';
import { asCaller, asServer, type BackendAccess } from '../backend-access.ts';
import { feedText, type Feed } from './feed-text.ts';

const addressOf = ({ calendarAddress, url }: BackendAccess, token: string): string =>
  `${calendarAddress?.() ?? `${url}/functions/v1/calendar`}/${token}.ics`;

/** What is unknown, renewed or revoked: whoever asks learns nothing from the answer. */
const nothing = (c: Context): Response => c.text('Not found', 404, { 'Cache-Control': 'no-store' });

async function serve(c: Context, access: BackendAccess): Promise<Response> {
  const token = /^([0-9a-f]{64})\.ics$/.exec(c.req.param('file') ?? '')?.[1] ?? '';
  const { data, error } = await asServer(access).rpc('calendar_feed', { p_token: token });
  if (error) return c.text('Try again later', 503, { 'Cache-Control': 'no-store', 'Retry-After': '60' });
  if (data === null) return nothing(c);
  const text = feedText(data as Feed, access.site?.() ?? access.url);
  return c.body(text, 200, {
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="cairn.ics"',
    'Cache-Control': 'private, no-cache',
    'X-Robots-Tag': 'noindex',
  });
}

async function make(c: Context, access: BackendAccess): Promise<Response> {
  const authorization = c.req.header('Authorization');
  if (!authorization) return c.json({ code: 'signed_out', message: 'Sign in first' }, 401);
  const body: unknown = await c.req.raw.json().catch(() => null);
  const { kind, zone }: { kind?: unknown; zone?: unknown } = typeof body === 'object' && body !== null ? body : {};
  if (typeof kind !== 'string' || typeof zone !== 'string')
    return c.json({ code: 'invalid', message: 'A feed has a kind and a zone' }, 400);
  const client = asCaller(access, authorization);
  const { data, error, status } = await client.rpc('make_calendar_feed', { p_kind: kind, p_zone: zone });
  if (error) {
    const isDecision = status >= 400 && status < 500;
    return c.json({ code: error.code, message: error.message }, isDecision ? 400 : 502);
  }
  const { id, token } = data as { id: string; token: string };
  return c.json({ id, address: addressOf(access, token) });
}

/**
 * `POST /calendar/make` with `kind` and `zone`: makes the caller's feed, or gives it a new address, and answers it this once.
 * `GET /calendar/TOKEN.ics`: that feed, for calendars, which cannot sign in. The token is the right to read it.
 */
export function calendarRoutes(access: BackendAccess): Hono {
  return new Hono().post('/make', c => make(c, access)).get('/:file', etag(), c => serve(c, access));
}
