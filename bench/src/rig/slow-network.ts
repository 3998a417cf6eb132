import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A network between the pages and a server, as a TCP proxy: bytes take half the round trip, go no faster than the rate (one
 * line for all connections, per direction), and of every hundred segments `loss` arrive one round trip late with all behind
 * them on their connection, as after a fast retransmit. What TCP would do to its window after a loss is not modelled.
 */
export type Network = { name: string; roundTripMs: number; downKbit: number; upKbit: number; lossPercent: number };

export const NETWORKS: readonly [Network, ...Network[]] = [
  { name: 'local', roundTripMs: 0, downKbit: 0, upKbit: 0, lossPercent: 0 },
  { name: '150ms', roundTripMs: 150, downKbit: 2000, upKbit: 1000, lossPercent: 0 },
  { name: '600ms', roundTripMs: 600, downKbit: 256, upKbit: 256, lossPercent: 5 },
];

/** Bytes of one TCP segment on Ethernet. */
const SEGMENT = 1460;
/** Bytes on their way per connection and direction, before the sender has to wait. */
const WINDOW = 256 * 1024;

/** One direction of the line. */
class Line {
  private readonly msPerByte: number;
  private free = 0;

  constructor(kbit: number) {
    this.msPerByte = kbit > 0 ? 8 / kbit : 0;
  }

  /** When these bytes are through, ms of `performance.now()`. */
  pass(bytes: number): number {
    this.free = Math.max(performance.now(), this.free) + bytes * this.msPerByte;
    return this.free;
  }
}

/** How much later a run of bytes comes for what is lost of it. */
function lateness(bytes: number, { lossPercent, roundTripMs }: Network): number {
  let late = 0;
  for (let sent = 0; sent < bytes; sent += SEGMENT) {
    if (Math.random() * 100 < lossPercent) late = Math.max(late, roundTripMs);
  }
  return late;
}

/** Bytes on their way, in the order in which they were sent: timers that end in the same millisecond keep none. */
class UnderWay {
  private readonly parts: { at: number; part: Buffer }[] = [];
  private readonly arrive: (part: Buffer) => void;
  private isTimed = false;

  constructor(arrive: (part: Buffer) => void) {
    this.arrive = arrive;
  }

  /** @param at ms of `performance.now()`, not before that of what was sent before */
  send(at: number, part: Buffer): void {
    this.parts.push({ at, part });
    this.time();
  }

  private time(): void {
    const [first] = this.parts;
    if (this.isTimed || !first) return;
    this.isTimed = true;
    setTimeout(
      () => {
        this.isTimed = false;
        const now = performance.now();
        const later = this.parts.findIndex(({ at }) => at > now);
        for (const { part } of this.parts.splice(0, later < 0 ? this.parts.length : later)) this.arrive(part);
        this.time();
      },
      Math.max(0, first.at - performance.now()),
    );
  }
}

function carry(from: Socket, to: Socket, line: Line, network: Network): void {
  let lastArrival = 0;
  let underWay = 0;
  const way = new UnderWay(part => {
    underWay -= part.length;
    if (!to.destroyed) to.write(part);
    if (underWay < WINDOW) from.resume();
  });
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += SEGMENT) {
      const part = chunk.subarray(at, at + SEGMENT);
      const through = line.pass(part.length) + network.roundTripMs / 2;
      // In order: what is behind a lost segment waits for it.
      lastArrival = Math.max(lastArrival, through + lateness(part.length, network));
      underWay += part.length;
      way.send(lastArrival, part);
    }
    if (underWay >= WINDOW) from.pause();
  });
  // What was written before it still goes.
  const close = () => setTimeout(() => to.destroySoon(), Math.max(0, lastArrival - performance.now()) + 2);
  from.on('end', close);
  from.on('close', close);
  from.on('error', close);
}

/** @returns the address that stands for `url`, and what ends the proxy; a local network is the server itself */
export async function slowed(url: string, network: Network): Promise<{ url: string; stop(): void }> {
  if (network.roundTripMs === 0) return { url, stop: () => {} };
  const target = new URL(url);
  const [down, up] = [new Line(network.downKbit), new Line(network.upKbit)];
  const open = new Set<Socket>();
  const server = createServer(page => {
    // The handshake takes a round trip too.
    setTimeout(() => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const socket of [page, upstream]) {
        socket.setNoDelay(true);
        open.add(socket);
        socket.on('close', () => open.delete(socket));
      }
      carry(page, upstream, up, network);
      carry(upstream, page, down, network);
    }, network.roundTripMs);
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
