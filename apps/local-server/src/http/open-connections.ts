import type { Server } from 'node:net';
import { isLoopback } from '../start/settings.ts';
import { networkOf, networkShares } from '@cairn/supabase-local/limits/network-of.ts';

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
    const shares = networkShares(networkOf(address), max.network, max.all);
    if (shares.some(([network, limit]) => (open.get(network) ?? 0) >= limit)) {
      socket.destroy();
      return;
    }
    const count = (by: number) => {
      for (const [network] of shares) {
        const sum = (open.get(network) ?? 0) + by;
        if (sum > 0) open.set(network, sum);
        else open.delete(network);
      }
    };
    count(1);
    socket.once('close', () => count(-1));
  });
}
