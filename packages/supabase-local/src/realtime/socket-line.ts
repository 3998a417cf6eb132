import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { Frame } from './frame.ts';
import type { Message, Version } from './phoenix.ts';
import type { SocketShare } from './realtime-limits.ts';

/** ms; whoever has joined nothing by then is sent away. */
const JOIN_WITHIN_MS = 10_000;
/** ms; clients send a heartbeat each 25 s, hidden pages each minute. */
const SILENCE_MS = 120_000;
/** ms a client has to answer that its socket ends. */
const FAREWELL_MS = 2_000;
/** What one piece of the stream held beyond the message in hand; no client of ours has as much to say at once. */
const MAX_READ_AHEAD = 1000;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** Bytes of a message before anything is joined: a topic and a token. */
const MAX_FIRST_BYTES = 16 * 1024;

type IncomingMessage = { data: Buffer; isBinary: boolean };

type Options = {
  socket: WebSocket;
  version: Version;
  share: SocketShare;
  /** Answers one message; the next is not looked at before. Never rejects. */
  answer(came: IncomingMessage): Promise<void>;
};

/** The line under one connection: what may come and go over it, and how long it may be idle. */
export class SocketLine {
  private readonly socket: WebSocket;
  private readonly version: Version;
  private readonly share: SocketShare;
  private readonly answer: Options['answer'];
  private readonly silence: NodeJS.Timeout;
  private unjoined: NodeJS.Timeout | null = null;
  private readonly came: IncomingMessage[] = [];
  private isAnswering = false;

  constructor({ socket, version, share, answer }: Options) {
    this.socket = socket;
    this.version = version;
    this.share = share;
    this.answer = answer;
    this.silence = setTimeout(() => socket.terminate(), SILENCE_MS).unref();
    this.expectJoin();
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** One after the other, so that a leave or a new token cannot overtake the join before it. What is not read yet waits with its sender. */
  hear(came: IncomingMessage): void {
    this.silence.refresh();
    if (this.came.length >= MAX_READ_AHEAD) return this.socket.terminate();
    this.came.push(came);
    if (!this.isAnswering) void this.answerAll();
  }

  private async answerAll(): Promise<void> {
    this.isAnswering = true;
    this.socket.pause();
    for (let next = this.came.shift(); next && this.isOpen; next = this.came.shift()) {
      // Not a byte of it counts for others.
      if (this.unjoined && next.data.byteLength > MAX_FIRST_BYTES) {
        this.dismiss('Too much at first', TOO_BIG);
        break;
      }
      const waitMs = this.share.heard(next.data.byteLength);
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
      await this.answer(next);
    }
    this.isAnswering = false;
    this.socket.resume();
  }

  /** It has joined nothing, or nothing any more. */
  expectJoin(): void {
    this.share.left();
    this.unjoined ??= setTimeout(() => this.dismiss('No channel was joined'), JOIN_WITHIN_MS).unref();
  }

  joined(person: string | null): void {
    if (this.unjoined) clearTimeout(this.unjoined);
    this.unjoined = null;
    this.share.joined(person);
  }

  private dismiss(reason: string, code = POLICY_VIOLATION): void {
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), FAREWELL_MS).unref();
  }

  send(message: Message): void {
    this.deliver(new Frame(message));
  }

  /** Who does not read what they are sent is cut off, and will join and pull again. */
  deliver(frame: Frame): void {
    if (!this.isOpen) return;
    const encoded = frame.as(this.version);
    if (!encoded) return;
    const { data, isBinary } = encoded;
    if (!this.share.holds(data.byteLength)) return this.socket.terminate();
    this.socket.send(data, { binary: isBinary }, () => this.share.sent(data.byteLength));
  }

  end(): void {
    clearTimeout(this.silence);
    if (this.unjoined) clearTimeout(this.unjoined);
    this.share.end();
  }
}
