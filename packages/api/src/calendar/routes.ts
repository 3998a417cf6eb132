import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { asCaller, asServer, type BackendAccess } from '../backend-access.ts';
import { NoAnswerError } from '../no-answer-error.ts';
import { FEED_FORMAT, feedText, type Feed } from './feed-text.ts';
import { FeedCache } from './feed-cache.ts';

/** A calendar has one or two. */
const MAX_TAGS = 5;
/** Bytes. */
const PIECE = 64 * 1024;

const addressOf = ({ calendarAddress, url }: BackendAccess, token: string): string =>
  `${calendarAddress?.() ?? `${url}/functions/v1/calendar`}/${token}.ics`;

/** What is unknown, renewed or revoked: whoever asks learns nothing from the answer. */
const notFound = (c: Context): Response => c.text('Not found', 404, { 'Cache-Control': 'no-store' });

/** The tag alone where that was asked for, or where one of the texts that are known is that of the feed. */
type Answer = { tag: string } & (Feed | { kind?: undefined });

/** The tags of what the calendar has already, as this server gave them for the text it would write today. */
function tagsIn(header: string | undefined, prefix: string): string[] {
  const found = (header ?? '').split(',', MAX_TAGS).map(each => /^(?:W\/)?"(\w+)-(\w+)"$/.exec(each.trim()));
  return found.flatMap(match => (match?.[1] === prefix && match[2] ? [match[2]] : []));
}

type FeedContent = { tag: string; text: Uint8Array<ArrayBuffer> };

/**
 * @param p_tag_only whether the entries are left out: whoever waits for something holds none
 * @returns null where the token opens nothing
 * @throws {NoAnswerError} by the database
 */
async function askFor(
  access: BackendAccess,
  asked: { p_token: string; p_known?: string[]; p_tag_only?: boolean },
): Promise<Answer | null> {
  const { data, error, status } = await asServer(access).rpc('calendar_feed', asked);
  if (error) throw new NoAnswerError('calendar_feed', status);
  return data as Answer | null;
}

/** The text of a feed that is asked for when its turn has come: whoever made it meanwhile has left it. */
async function made(access: BackendAccess, cache: FeedCache, token: string, site: string): Promise<FeedContent | null> {
  const ours = cache.of(token);
  const answer = await askFor(access, { p_token: token, p_known: ours ? [ours.tag] : [] });
  if (answer === null) return null;
  if (answer.kind === undefined) return ours;
  const text = new TextEncoder().encode(await feedText(answer, site));
  cache.keep(token, answer.tag, text);
  return { tag: answer.tag, text };
}

/** Piece by piece, so that nobody gets a copy of their own. */
function piecesOf(text: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (at < text.byteLength) controller.enqueue(text.subarray(at, at + PIECE));
    else controller.close();
    at += PIECE;
  };
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
}

type Question = { token: string; site: string; theirs: string[] };

/** What to answer with: the tag alone where they have the text. */
async function found(c: Context, access: BackendAccess, cache: FeedCache, { token, site, theirs }: Question) {
  const present = await askFor(access, { p_token: token, p_tag_only: true });
  if (present === null || theirs.includes(present.tag)) return present && { tag: present.tag, text: null };
  const ours = cache.of(token);
  if (ours?.tag === present.tag) return ours;
  const make = () => made(access, cache, token, site);
  return access.feeds ? access.feeds(token, c.req.raw.signal, make) : make();
}

async function serve(c: Context, access: BackendAccess, cache: FeedCache): Promise<Response> {
  const token = /^([0-9a-f]{64})\.ics$/.exec(c.req.param('file') ?? '')?.[1] ?? '';
  const site = access.site?.() ?? access.url;
  const prefix = createHash('sha256').update(`${FEED_FORMAT} ${site}`).digest('hex').slice(0, 16);
  const theirs = tagsIn(c.req.header('If-None-Match'), prefix);
  const feed = await found(c, access, cache, { token, site, theirs });
  if (feed === 'busy')
    return c.text('This calendar is being made already. Ask again in a moment.', 429, { 'Retry-After': '30' });
  if (feed === null) {
    cache.forget(token);
    return notFound(c);
  }
  const headers = {
    ETag: `"${prefix}-${feed.tag}"`,
    'Cache-Control': 'private, no-cache',
    'X-Robots-Tag': 'noindex',
  };
  if (feed.text === null) return c.body(null, 304, headers);
  return c.body(piecesOf(feed.text), 200, {
    ...headers,
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="cairn.ics"',
  });
}

/** @throws whatever is no fault of the database's */
async function served(c: Context, access: BackendAccess, cache: FeedCache): Promise<Response> {
  try {
    return await serve(c, access, cache);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return c.text('Try again later', 503, { 'Cache-Control': 'no-store', 'Retry-After': '60' });
  }
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
  return new Hono().post('/make', c => make(c, access)).get('/:file', c => served(c, access, cache));
}
