import { Hono, type Context } from 'hono';
import type { Sql } from 'postgres';
import { mostJsonBytes } from '../hardening/body-limit.ts';
import type { GateVariables } from '../hardening/gate.ts';
import { isBottomless } from '../hardening/json-bounds.ts';
import type { Secrets } from '../secrets.ts';
import type { ChannelMembers } from './channel-members.ts';
import { isRecord } from './phoenix.ts';
import { topicRights } from './topic-rights.ts';

type Options = { sql: Sql; members: ChannelMembers; secrets: Secrets };

type Broadcast = { topic: string; event: string; payload: unknown; isPrivate: boolean };

const MAX_MESSAGES = 100;
const PREFIX = 'realtime:';

const invalid = (errors: Record<string, unknown>) => Response.json({ errors }, { status: 422 });
const accepted = () => new Response(null, { status: 202 });

function broadcastOf(value: unknown): Broadcast | null {
  if (!isRecord(value)) return null;
  const { topic, event, payload, private: isPrivate = false } = value;
  const isWhole = typeof topic === 'string' && topic !== '' && typeof event === 'string' && event !== '';
  return isWhole && isRecord(payload) && typeof isPrivate === 'boolean' ? { topic, event, payload, isPrivate } : null;
}

function send(members: ChannelMembers, { topic, event, payload, isPrivate }: Broadcast): void {
  members.broadcast(`${PREFIX}${topic}`, isPrivate, { type: 'broadcast', event, payload });
}

async function maySend(c: Context<GateVariables>, sql: Sql, { topic, isPrivate }: Broadcast): Promise<boolean> {
  return !isPrivate || (await topicRights(sql, c.get('caller'), topic)).broadcast.mayWrite;
}

async function bodyOf(c: Context): Promise<unknown> {
  const bytes = await c.req.arrayBuffer();
  if (isBottomless(new Uint8Array(bytes))) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** As Supabase: what one may not send is left out of the batch, and the answer does not tell. */
async function batch(c: Context<GateVariables>, { sql, members }: Options): Promise<Response> {
  const body = await bodyOf(c);
  const messages = isRecord(body) ? body['messages'] : null;
  if (!Array.isArray(messages) || messages.length === 0) return invalid({ messages: ["can't be blank"] });
  if (messages.length > MAX_MESSAGES)
    return c.json({ message: 'Too many messages to broadcast, please reduce the batch size' }, 429);
  const broadcasts = messages.map(broadcastOf);
  if (broadcasts.includes(null))
    return invalid({ messages: broadcasts.map(found => (found ? {} : { payload: ["can't be blank"] })) });
  for (const found of broadcasts) if (found && (await maySend(c, sql, found))) send(members, found);
  return accepted();
}

async function single(c: Context<GateVariables>, { sql, members }: Options): Promise<Response> {
  const isBytes = c.req.header('Content-Type') === 'application/octet-stream';
  const payload = isBytes ? new Uint8Array(await c.req.arrayBuffer()) : await bodyOf(c);
  if (payload === null) return invalid({ payload: ["can't be blank"] });
  const [topic = '', event = ''] = [c.req.param('topic'), c.req.param('event')];
  const broadcast: Broadcast = { topic, event, payload, isPrivate: c.req.query('private') === 'true' };
  if (!(await maySend(c, sql, broadcast)))
    return c.json({ message: 'You do not have permissions to write to this Channel topic' }, 403);
  send(members, broadcast);
  return accepted();
}

/** Broadcasts by plain HTTP, for who has no socket; below `/realtime/v1`. */
export function broadcastRoutes(options: Options): Hono<GateVariables> {
  const { publishableKey, secretKey } = options.secrets;
  const routes = new Hono<GateVariables>();
  routes.use('*', async (c, next) => {
    const key = c.req.header('apikey') ?? c.req.query('apikey');
    const isKnown = c.get('caller').claims !== null || key === publishableKey || key === secretKey;
    if (!isKnown) return c.json({ message: 'Unauthorized' }, 401);
    const { byteLength } = await c.req.arrayBuffer();
    return byteLength > mostJsonBytes(c.get('caller')) ? c.json({ message: 'Payload too large' }, 413) : next();
  });
  routes.post('/api/broadcast', c => batch(c, options));
  routes.post('/api/broadcast/:topic/events/:event', c => single(c, options));
  routes.all('*', c => c.json({ message: 'Not found' }, 404));
  return routes;
}
