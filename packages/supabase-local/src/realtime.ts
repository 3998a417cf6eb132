import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sql } from 'postgres';
import { WebSocketServer } from 'ws';
import type { Caller, TokenVerifier } from './access/bearer.ts';
import { networkOf } from './limits/network-of.ts';
import { SharedSemaphore } from './limits/shared-semaphore.ts';
import type { Log } from './log/log.ts';
import type { Secrets } from './access/secrets.ts';
import type { ChannelMembers } from './realtime/channel-members.ts';
import { listenForNotices } from './realtime/database-notices.ts';
import { isRecord, type Version } from './realtime/phoenix.ts';
import { PostgresChanges } from './realtime/postgres-changes.ts';
import type { RealtimeContext } from './realtime/realtime-context.ts';
import type { RealtimeLimits } from './realtime/realtime-limits.ts';
import { serveSocket } from './realtime/realtime-socket.ts';
import { topicRights } from './realtime/topic-rights.ts';

type Options = {
  databaseUrl: string;
  sql: Sql;
  verify: TokenVerifier;
  members: ChannelMembers;
  limits: RealtimeLimits;
  secrets: Secrets;
  /** Whether visitors may join, and channels that are not private are there. */
  isPublic: boolean;
  log: Log;
};

const PATH = '/realtime/v1/websocket';
const MAX_MESSAGE_BYTES = 64 * 1024;
const GOING_AWAY = 1001;
/** Questions about rights: of 16 connections two, of which one person has one. */
const QUERY_LIMITS = {
  tiers: [{ person: 1, network: 2, all: 2 }],
  waiting: { person: 5000, network: 10_000, all: 50_000 },
};

function visitorOf(key: string | null, { publishableKey, secretKey }: Secrets): Caller | null {
  if (key === publishableKey) return { role: 'anon', claims: null };
  return key === secretKey ? { role: 'service_role', claims: null } : null;
}

/** What realtime.send put into the notification (packages/database/src/sql/realtime.sql). */
function deliver(members: ChannelMembers, text: string): void {
  const message: unknown = JSON.parse(text);
  if (!isRecord(message) || typeof message['topic'] !== 'string') return;
  const payload = { type: 'broadcast', event: message['event'], payload: message['payload'] };
  members.broadcast({ topic: `realtime:${message['topic']}`, isPrivate: message['private'] === true, payload });
  // A person's own scope moves with everything that gives or takes their rights.
  const [, person] = /^scope:user:([0-9a-f-]{36})$/.exec(message['topic']) ?? [];
  if (person) members.doubt(person);
}

/** ms a refused line has to take its answer. */
const REFUSAL_MS = 5_000;

/** Ends both ways: HTTP looks after this line no more, and whoever is refused need not close it. */
function refuse(socket: Duplex, status: string): void {
  const late = setTimeout(() => socket.destroy(), REFUSAL_MS);
  socket.once('close', () => clearTimeout(late));
  socket.once('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function contextOf({ sql, verify, members, isPublic, log }: Options, changes: PostgresChanges): RealtimeContext {
  const semaphore = new SharedSemaphore(QUERY_LIMITS);
  const inTurn: RealtimeContext['inTurn'] = async (asker, ask) => {
    const slot = await semaphore.take(asker, 0);
    if (!slot) throw new Error('too many questions about channels wait');
    try {
      return await ask();
    } finally {
      slot.release();
    }
  };
  const rightsOf: RealtimeContext['rightsOf'] = (caller, topic, asker) =>
    inTurn(asker, () => topicRights(sql, caller, topic));
  return { verify, rightsOf, inTurn, members, changes, isPublic, log };
}

/**
 * The realtime socket of Supabase: channels, private ones under the policies of realtime.messages; broadcasts, also those
 * the database sends; presence; changes of published tables.
 */
export async function attachRealtime(server: Server, options: Options): Promise<{ close(): Promise<void> }> {
  const { databaseUrl, sql, members, limits, secrets, log } = options;
  const changes = new PostgresChanges(sql, log);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const hear = {
    cairn_realtime: (text: string) => deliver(members, text),
    cairn_changes: (text: string) => changes.hear(text),
  };
  const stopListening = await listenForNotices({ url: databaseUrl, log, hear });
  const context = contextOf(options, changes);

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '/', 'http://local');
    if (url?.pathname !== PATH) return refuse(socket, '404 Not Found');
    const visitor = visitorOf(url.searchParams.get('apikey'), secrets);
    if (!visitor) return refuse(socket, '401 Unauthorized');
    const share = limits.admit(networkOf(request.socket.remoteAddress ?? ''));
    if (!share) return refuse(socket, '429 Too Many Requests');
    // Also where no socket comes of it.
    socket.once('close', () => share.end());
    const version: Version = url.searchParams.get('vsn')?.startsWith('2') ? 2 : 1;
    sockets.handleUpgrade(request, socket, head, connection =>
      serveSocket({ socket: connection, version, visitor, share, context }),
    );
  });

  return {
    async close() {
      for (const client of sockets.clients) client.close(GOING_AWAY);
      sockets.close();
      await stopListening();
      for (const client of sockets.clients) client.terminate();
    },
  };
}
