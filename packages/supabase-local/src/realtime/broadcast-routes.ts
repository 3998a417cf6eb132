import { Hono, type Context } from 'hono';
import type { Sql } from 'postgres';
import type { Caller } from '../access/bearer.ts';
import { maxJsonBytes } from '../requests/body-limit.ts';
import type { GateVariables } from '../access/gate.ts';
import type { Secrets } from '../access/secrets.ts';
import { networkOf } from '../limits/network-of.ts';
import type { User } from './allowance.ts';
import { addressOf } from '../auth/auth-context.ts';
import type { ChannelMembers } from './channel-members.ts';
import { isRecord, parseJson } from './phoenix.ts';
import type { RealtimeLimits } from './realtime-limits.ts';
import { topicRights, type TopicRights } from './topic-rights.ts';

type Options = {
  sql: Sql;
  members: ChannelMembers;
  limits: RealtimeLimits;
  secrets: Secrets;
  /** Whether visitors may send, and channels that are not private are there. */
  isPublic: boolean;
};

type Broadcast = { topic: string; event: string; payload: unknown; isPrivate: boolean };

const MAX_MESSAGES = 100;
/** Each is a question to the database. */
const MAX_PRIVATE_TOPICS = 10;
const PREFIX = 'realtime:';
const TOO_MUCH = 'Too many messages per second';

const invalid = (errors: Record<string, unknown>) => Response.json({ errors }, { status: 422 });
const accepted = () => new Response(null, { status: 202 });

function broadcastOf(value: unknown): Broadcast | null {
  if (!isRecord(value)) return null;
  const { topic, event, payload, private: isPrivate = false } = value;
  const isWhole = typeof topic === 'string' && topic !== '' && typeof event === 'string' && event !== '';
  return isWhole && isRecord(payload) && typeof isPrivate === 'boolean' ? { topic, event, payload, isPrivate } : null;
}

function userOf(c: Context<GateVariables>): User {
  return { person: c.get('caller').claims?.sub ?? null, network: networkOf(addressOf(c)) };
}

const tooMany = (c: Context, message: string): Response => {
  c.header('Retry-After', '1');
  return c.json({ message }, 429);
};

/** @returns whether it went, to however many; not when it is more than who sends it may spread */
function send(members: ChannelMembers, { topic, event, payload, isPrivate }: Broadcast, user: User): boolean {
  return members.broadcast(
    { topic: `${PREFIX}${topic}`, isPrivate, payload: { type: 'broadcast', event, payload } },
    user,
  );
}

/** Asks for each private topic once, however many messages go to it. */
function rightsOf(caller: Caller, { sql, isPublic }: Options) {
  const asked = new Map<string, Promise<TopicRights>>();
  return async ({ topic, isPrivate }: Broadcast): Promise<boolean> => {
    if (!isPrivate) return isPublic;
    const rights = asked.get(topic) ?? topicRights(sql, caller, topic);
    asked.set(topic, rights);
    return (await rights).broadcast.mayWrite;
  };
}

const privateTopics = (broadcasts: (Broadcast | null)[]): number =>
  new Set(broadcasts.filter(found => found?.isPrivate).map(found => found?.topic)).size;

const bodyOf = async (c: Context): Promise<unknown> => parseJson(Buffer.from(await c.req.arrayBuffer()));

/** As Supabase: what one may not send is left out of the batch, and the answer does not tell. */
async function batch(c: Context<GateVariables>, options: Options): Promise<Response> {
  const body = await bodyOf(c);
  const messages = isRecord(body) ? body['messages'] : null;
  if (!Array.isArray(messages) || messages.length === 0) return invalid({ messages: ["can't be blank"] });
  const broadcasts = messages.slice(0, MAX_MESSAGES + 1).map(broadcastOf);
  if (messages.length > MAX_MESSAGES || privateTopics(broadcasts) > MAX_PRIVATE_TOPICS)
    return c.json({ message: 'Too many messages to broadcast, please reduce the batch size' }, 429);
  if (broadcasts.includes(null))
    return invalid({ messages: broadcasts.map(found => (found ? {} : { payload: ["can't be blank"] })) });
  const maySend = rightsOf(c.get('caller'), options);
  for (const found of broadcasts)
    if (found && (await maySend(found)) && !send(options.members, found, userOf(c))) return tooMany(c, TOO_MUCH);
  return accepted();
}

async function single(c: Context<GateVariables>, options: Options): Promise<Response> {
  const isBytes = c.req.header('Content-Type') === 'application/octet-stream';
  const payload = isBytes ? new Uint8Array(await c.req.arrayBuffer()) : await bodyOf(c);
  if (payload === null) return invalid({ payload: ["can't be blank"] });
  const [topic = '', event = ''] = [c.req.param('topic'), c.req.param('event')];
  const broadcast: Broadcast = { topic, event, payload, isPrivate: c.req.query('private') === 'true' };
  if (!(await rightsOf(c.get('caller'), options)(broadcast)))
    return c.json({ message: 'You do not have permissions to write to this Channel topic' }, 403);
  return send(options.members, broadcast, userOf(c)) ? accepted() : tooMany(c, TOO_MUCH);
}

/** Broadcasts by plain HTTP, for who has no socket; below `/realtime/v1`. */
export function broadcastRoutes(options: Options): Hono<GateVariables> {
  const { publishableKey, secretKey } = options.secrets;
  const routes = new Hono<GateVariables>();
  routes.use('*', async (c, next) => {
    const key = c.req.header('apikey') ?? c.req.query('apikey');
    const isKnown = c.get('caller').claims !== null || key === publishableKey || key === secretKey;
    const isVisitor = c.get('caller').role === 'anon';
    if (!isKnown || (isVisitor && !options.isPublic)) return c.json({ message: 'Unauthorized' }, 401);
    const bytes = Number(c.req.header('Content-Length') ?? 0);
    if (!options.limits.mayCome(userOf(c), Number.isFinite(bytes) ? bytes : 0)) return tooMany(c, TOO_MUCH);
    const { byteLength } = await c.req.arrayBuffer();
    return byteLength > maxJsonBytes(c.get('caller')) ? c.json({ message: 'Payload too large' }, 413) : next();
  });
  routes.post('/api/broadcast', c => batch(c, options));
  routes.post('/api/broadcast/:topic/events/:event', c => single(c, options));
  routes.all('*', c => c.json({ message: 'Not found' }, 404));
  return routes;
}
