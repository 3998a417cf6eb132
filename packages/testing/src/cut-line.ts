import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type CutLineOptions = {
  /** The server's port on this machine. */
  target: number;
  /** What the line carries up to the server, over all its connections together. */
  bytesPerSecond: number;
  /** The line dies each time so much time has passed, or so many bytes went up. */
  cutEvery: { ms: number } | { bytes: number };
  /** 0 ≤ x < 1: whether a cut tells the server, or leaves it waiting for a device that is gone. */
  random: () => number;
};

/** A TCP proxy like a bad mobile line: slow upwards, and every connection breaks again and again. */
export class CutLine {
  /** Bytes that came from the device onto the line, those a cut swallowed included. */
  sent = 0;
  cuts = 0;
  private readonly options: CutLineOptions;
  private readonly listener: Server;
  private readonly connections = new Set<{ device: Socket; server: Socket }>();
  private readonly left = new Set<Socket>();
  private freeAt = 0;
  private sinceCut = 0;
  private cutEvery: CutLineOptions['cutEvery'] | null = null;
  private timer: NodeJS.Timeout | null = null;
  private gate: Promise<void> = Promise.resolve();
  private open: () => void = () => undefined;

  private constructor(options: CutLineOptions) {
    this.options = options;
    this.listener = createServer(device => this.carry(device));
  }

  /** A line that is slow, but whole until `begin`. */
  static async to(options: CutLineOptions): Promise<CutLine> {
    const line = new CutLine(options);
    line.listener.listen(0, '127.0.0.1');
    await once(line.listener, 'listening');
    return line;
  }

  get url(): string {
    const address = this.listener.address();
    if (!address || typeof address === 'string') throw new Error('the line has no address');
    return `http://127.0.0.1:${address.port}`;
  }

  /** From now on it breaks, and is counted. */
  begin(): void {
    [this.sent, this.cuts, this.sinceCut] = [0, 0, 0];
    this.cutEvery = this.options.cutEvery;
    if ('ms' in this.cutEvery) this.timer = setInterval(() => this.cut(), this.cutEvery.ms);
  }

  /** From now on nothing breaks. */
  end(): void {
    if (this.timer) clearInterval(this.timer);
    this.cutEvery = null;
  }

  /** Carries nothing up until `go`, and breaks nothing. */
  pause(): void {
    this.end();
    this.gate = new Promise(resolve => {
      this.open = resolve;
    });
  }

  go(): void {
    this.open();
    const [sent, cuts] = [this.sent, this.cuts];
    this.begin();
    [this.sent, this.cuts] = [sent, cuts];
  }

  async close(): Promise<void> {
    this.end();
    this.open();
    for (const { device, server } of this.connections) for (const end of [device, server]) end.destroy();
    for (const socket of this.left) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private cut(): void {
    this.sinceCut = 0;
    if (this.connections.size > 0) this.cuts += 1;
    for (const connection of this.connections) {
      this.connections.delete(connection);
      connection.device.resetAndDestroy();
      if (this.options.random() < 0.5) connection.server.destroy();
      else this.leave(connection.server);
    }
  }

  /** The device is gone without a word: the server's end stays open. */
  private leave(server: Socket): void {
    this.left.add(server);
    server.on('close', () => this.left.delete(server));
    server.resume();
  }

  private carry(device: Socket): void {
    const server = connect(this.options.target, '127.0.0.1');
    const connection = { device, server };
    this.connections.add(connection);
    for (const end of [device, server]) {
      end.setNoDelay(true);
      end.on('error', () => end.destroy());
    }
    device.on('close', () => {
      if (this.connections.delete(connection)) server.destroy();
    });
    server.on('close', () => {
      if (this.connections.delete(connection)) device.destroySoon();
    });
    server.on('data', chunk => void (this.connections.has(connection) && device.write(chunk)));
    device.on('data', chunk => this.bringUp(connection, chunk));
  }

  /** Passes the piece on when the line has carried it; what is on the line when it dies is lost. */
  private bringUp(connection: { device: Socket; server: Socket }, chunk: Buffer): void {
    this.sent += chunk.byteLength;
    this.sinceCut += chunk.byteLength;
    const now = performance.now();
    this.freeAt = Math.max(this.freeAt, now) + (chunk.byteLength / this.options.bytesPerSecond) * 1000;
    connection.device.pause();
    setTimeout(() => void this.gate.then(() => this.arrive(connection, chunk)), this.freeAt - now);
  }

  private arrive(connection: { device: Socket; server: Socket }, chunk: Buffer): void {
    if (!this.connections.has(connection)) return;
    connection.server.write(chunk);
    connection.device.resume();
    if (this.cutEvery && 'bytes' in this.cutEvery && this.sinceCut >= this.cutEvery.bytes) this.cut();
  }
}
