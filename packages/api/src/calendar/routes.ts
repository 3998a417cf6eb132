import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { asCaller, asServer, type BackendAccess } from '../backend-access.ts';
import { FEED_FORMAT, feedText, type Feed } from './feed-text.ts';
import { FeedCache } from './feed-cache.ts';

/** A calendar has one or two. */
const MAX_TAGS = 5;

const addressOf = ({ calendarAddress, url }: BackendAccess, token: string): string =>
  `${calendarAddress?.() ?? `${url}/functions/v1/calendar`}/${token}.ics`;

/** What is unknown, renewed or revoked: whoever asks learns nothing from the answer. */
const notFound = (c: Context): Response => c.text('Not found', 404, { 'Cache-Control': 'no-store' });

/** The tag alone where one of the texts that are known is that of the feed. */
type Answer = { tag: string } & (Feed | { kind?: undefined });

/** The tags of what the calendar has already, as this server gave them for the text it would write today. */
function tagsIn(header: string | undefined, prefix: string): string[] {
  const found = (header ?? '').split(',', MAX_TAGS).map(each => /^(?:W\/)?"(\w+)-(\w+)"$/.exec(each.trim()));
  return found.flatMap(match => (match?.[1] === prefix && match[2] ? [match[2]] : []));
}

async function serve(c: Context, access: BackendAccess, cache: FeedCache): Promise<Response> {
  const token = /^([0-9a-f]{64})\.ics$/.exec(c.req.param('file') ?? '')?.[1] ?? '';
  const site = access.site?.() ?? access.url;
  const prefix = createHash('sha256').update(`${FEED_FORMAT} ${site}`).digest('hex').slice(0, 16);
  const [theirs, ours] = [tagsIn(c.req.header('If-None-Match'), prefix), cache.of(token)];
  const p_known = ours ? [...theirs, ours.tag] : theirs;
  const { data, error } = await asServer(access).rpc('calendar_feed', { p_token: token, p_known });
  if (error) return c.text('Try again later', 503, { 'Cache-Control': 'no-store', 'Retry-After': '60' });
  if (data === null) {
    cache.forget(token);
    return notFound(c);
  }
  const answer = data as Answer;
  const headers = {
    ETag: `"${prefix}-${answer.tag}"`,
    'Cache-Control': 'private, no-cache',
    'X-Robots-Tag': 'noindex',
  };
  if (theirs.includes(answer.tag)) return c.body(null, 304, headers);
  // Known to nobody but its calendar it was answered above.
  const text = answer.kind === undefined ? (ours?.text ?? '') : await feedText(answer, site);
  if (answer.kind !== undefined) cache.keep(token, answer.tag, text);
  return c.body(text, 200, {
    ...headers,
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="cairn.ics"',
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
  const cache = new FeedCache();
  return new Hono().post('/make', c => make(c, access)).get('/:file', c => serve(c, access, cache));
}
