import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sql } from 'postgres';
import { WebSocketServer } from 'ws';
import type { Caller, Verify } from '../hardening/bearer.ts';
import type { Log } from '../log.ts';
import type { Secrets } from '../secrets.ts';
import type { ChannelMembers } from './channel-members.ts';
import { listenForNotices } from './database-notices.ts';
import { isRecord } from './phoenix.ts';
import { PostgresChanges } from './postgres-changes.ts';
import { serveSocket } from './realtime-socket.ts';

type Options = {
  databaseUrl: string;
  sql: Sql;
  verify: Verify;
  members: ChannelMembers;
  secrets: Secrets;
  log: Log;
};

const PATH = '/realtime/v1/websocket';
const MAX_MESSAGE_BYTES = 256 * 1024;
const GOING_AWAY = 1001;

function visitorOf(key: string | null, { publishableKey, secretKey }: Secrets): Caller | null {
  if (key === publishableKey) return { role: 'anon', claims: null };
  return key === secretKey ? { role: 'service_role', claims: null } : null;
}

/** What realtime.send put into the notification (packages/database/src/sql/realtime.sql). */
function deliver(members: ChannelMembers, text: string): void {
  const message: unknown = JSON.parse(text);
  if (!isRecord(message) || typeof message['topic'] !== 'string') return;
  const payload = { type: 'broadcast', event: message['event'], payload: message['payload'] };
  members.broadcast(`realtime:${message['topic']}`, message['private'] === true, payload);
  // A person's own scope moves with everything that gives or takes their rights.
  const [, person] = /^scope:user:([0-9a-f-]{36})$/.exec(message['topic']) ?? [];
  if (person) members.doubt(person);
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * The realtime socket of Supabase: channels, private ones under the policies of realtime.messages; broadcasts, also those
 * the database sends; presence; changes of published tables.
 */
export async function attachRealtime(server: Server, options: Options): Promise<{ close(): Promise<void> }> {
  const { databaseUrl, sql, verify, members, secrets, log } = options;
  const changes = new PostgresChanges(sql, log);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const hear = {
    cairn_realtime: (text: string) => deliver(members, text),
    cairn_changes: (text: string) => changes.hear(text),
  };
  const stopListening = await listenForNotices({ url: databaseUrl, log, hear });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://local');
    if (url.pathname !== PATH) return refuse(socket, '404 Not Found');
    const visitor = visitorOf(url.searchParams.get('apikey'), secrets);
    if (!visitor) return refuse(socket, '401 Unauthorized');
    const version = url.searchParams.get('vsn')?.startsWith('2') ? 2 : 1;
    sockets.handleUpgrade(request, socket, head, connection => {
      serveSocket(connection, version, visitor, { sql, verify, members, changes, log });
    });
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
