import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PacedResponse } from './paced-response.ts';

/**
 * One request in hand of each connection: no browser sends a second before it has the answer to the first, and whoever does would have
 * as many answered at once as fit into a packet, past whatever is counted by connection.
 *
 * @returns whether this request is to be answered; its connection is closed otherwise
 */
export function oneInHand(server: Server): (request: IncomingMessage, response: PacedResponse) => boolean {
  const inHand = new WeakSet<Duplex>();
  // Before the listener that would make a socket of it.
  server.prependListener('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    if (inHand.has(socket)) socket.destroy();
  });
  return ({ socket }, response) => {
    if (socket.destroyed) return false;
    if (inHand.has(socket)) {
      socket.destroy();
      return false;
    }
    inHand.add(socket);
    const answered = () => void inHand.delete(socket);
    response.once('finish', answered);
    response.once('close', answered);
    return true;
  };
}
