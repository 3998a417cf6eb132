import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** The way between a phone and the server: bytes pass while there is signal, connections break when there is none. */
export class Signal {
  private readonly sockets = new Set<Socket>();
  private readonly listener: Server;
  private readonly target: number;
  private there = true;

  private constructor(target: number) {
    this.target = target;
    this.listener = createServer(socket => this.carry(socket));
  }

  static async to(target: number): Promise<Signal> {
    const signal = new Signal(target);
    signal.listener.listen(0, '127.0.0.1');
    await once(signal.listener, 'listening');
    return signal;
  }

  get url(): string {
    const address = this.listener.address();
    if (!address || typeof address === 'string') throw new Error('the signal has no address');
    return `http://127.0.0.1:${address.port}`;
  }

  lose(): void {
    this.there = false;
    for (const socket of this.sockets) socket.destroy();
  }

  regain(): void {
    this.there = true;
  }

  async close(): Promise<void> {
    this.lose();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private carry(socket: Socket): void {
    if (!this.there) {
      socket.destroy();
      return;
    }
    const onward = connect(this.target, '127.0.0.1');
    for (const end of [socket, onward]) {
      this.sockets.add(end);
      end.on('close', () => this.sockets.delete(end));
    }
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward);
    onward.pipe(socket);
  }
}
