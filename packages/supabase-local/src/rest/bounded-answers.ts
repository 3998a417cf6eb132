import { Socket } from 'node:net';
import type { ReservedSql, Sql } from 'postgres';
import { hasClosed } from './error-shapes.ts';

const MB = 1024 * 1024;
const MAX_BYTES = 32 * MB;

class AnswerTooLarge extends Error {
  readonly code = 'PT413';
  constructor() {
    super(`The database's answer is larger than ${MAX_BYTES / MB} MB: ask for fewer rows or columns`);
  }
}

type Options = { host: string[]; port: number[]; path: unknown; ssl: unknown };

/**
 * A connection to the database that breaks off once the answer to one statement has grown beyond 32 MB: the driver keeps
 * whatever arrives, and rows of some MB each would fill this server's memory before anything could look at them. Only one
 * person's statement stands on a connection at a time, so it is theirs that fails, with 413.
 *
 * An encrypted connection, to a database elsewhere, is not counted.
 *
 * @param options as postgres.js has them once they are read; it calls this where it would make a socket
 */
export function boundedSocket({ host, port, path, ssl }: Options): Socket {
  const socket = new Socket();
  const address = { host: host[0] ?? '127.0.0.1', port: port[0] ?? 5432 };
  if (!ssl) breakOff(socket);
  // Names it in the driver's own errors.
  Object.assign(socket, address);
  return typeof path === 'string' ? socket.connect(path) : socket.connect(address);
}

function breakOff(socket: Socket): void {
  let bytes = 0;
  let asked = 0;
  socket.on('data', (chunk: Buffer) => {
    // The next statement goes out once the last one is answered.
    if (socket.bytesWritten !== asked) [asked, bytes] = [socket.bytesWritten, 0];
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) socket.destroy(new AnswerTooLarge());
  });
}

/**
 * postgres.js 3.4 takes a statement for a reserved connection that has closed and never answers it; a transaction whose
 * connection broke hangs in its own rollback then. Here that is done with the connection, and a closed one is not handed on
 * as an open one.
 */
export function failOnceClosed(sql: Sql): void {
  const reserve = sql.reserve.bind(sql);
  sql.reserve = async () => {
    const reserved = await reserve();
    return watched(reserved);
  };
}

/** What the driver says of it. */
const ROLLED_BACK = Object.assign([], { command: 'ROLLBACK', count: 0 });

function watched(reserved: ReservedSql): ReservedSql {
  let closed: unknown;
  const { unsafe, release } = reserved;
  const note = (error: unknown) => {
    if (error instanceof AnswerTooLarge || hasClosed(error)) closed = error;
  };
  reserved.unsafe = ((...args: Parameters<ReservedSql['unsafe']>) => {
    if (closed !== undefined)
      return /^rollback\b/i.test(args[0]) ? Promise.resolve(ROLLED_BACK) : Promise.reject(closed);
    const query = unsafe(...args);
    query.catch(note);
    return query;
  }) as ReservedSql['unsafe'];
  reserved.release = () => {
    if (closed === undefined) release();
  };
  return reserved;
}
