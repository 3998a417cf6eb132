import type { Server } from 'node:net';
import { isLoopback } from '../start/settings.ts';
import { networkOf } from '@cairn/supabase-local/limits/network-of.ts';

/** Open connections, with the sockets of realtime among them (`REALTIME_LIMITS.sockets`). */
const MAX_CONNECTIONS = { network: 2_000, all: 10_000 };

/**
 * Closes new connections of a network that has as many open as it may have, and everybody's beyond what the server holds. A proxy on this
 * machine brings everybody's: it counts towards the whole alone.
 */
export function boundConnections(server: Server, max = MAX_CONNECTIONS): void {
  const open = new Map<string, number>();
  server.maxConnections = max.all;
  server.on('connection', socket => {
    // Without one it is gone already.
    const address = (socket.remoteAddress ?? '').replace('::ffff:', '');
    if (address === '' || isLoopback(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= max.network) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
