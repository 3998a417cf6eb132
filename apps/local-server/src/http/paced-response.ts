import { ServerResponse, type IncomingMessage } from 'node:http';
import { READING_LIMITS, ReaderTime, type ReadingLimits } from './reader-time.ts';
import type { UnsentAnswer, UnsentAnswers } from './unsent-answers.ts';

/** Bytes that go to a line at once: after each it is seen whether its reader takes them. */
const PIECE = 64 * 1024;

type Done = (error?: Error | null) => void;
type Piece = { bytes: Uint8Array; counts: boolean; done: Done | undefined };
type Reader = { unsent: UnsentAnswer; time: ReaderTime };

const kept = new WeakSet<Uint8Array>();

/** These bytes are in memory anyway, once for all who ask for them: to wait for a reader they take nothing. */
export function keptForAll<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  kept.add(bytes);
  return bytes;
}

/**
 * An answer that leaves in pieces, as they are read: its reader has the time that `ReaderTime` knows, and what waits for them is
 * counted. Whoever takes too long, or keeps the most waiting, is hung up on. Before `pace` it is one like any other.
 */
export class PacedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private reading: Reader | null = null;
  private readonly waiting: Piece[] = [];
  private isFlushing = false;
  private owesDrain = false;
  private holdsAll = false;
  private ending: { done: Done | undefined } | null = null;

  pace(unsent: UnsentAnswers, limits: ReadingLimits = READING_LIMITS): void {
    const hangUp = () => void this.req.socket.destroy();
    const time = new ReaderTime(limits, hangUp);
    this.reading = { unsent: unsent.begin(this.req.socket.remoteAddress ?? '', hangUp), time };
    const end = () => {
      this.reading?.unsent.end();
      time.end();
      this.waiting.length = 0;
    };
    this.once('finish', end);
    this.once('close', end);
  }

  /** What comes is in memory already: it is taken over at once, and so is counted. */
  takeAll(): void {
    this.holdsAll = true;
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Done, callback?: Done): boolean {
    const done = typeof encoding === 'function' ? encoding : callback;
    const bytes = asBytes(chunk, encoding);
    if (!this.reading || this.ending || this.destroyed) return super.write(bytes, done);
    this.keep(this.reading, bytes, done);
    this.flush();
    if (this.holdsAll || (!this.isFlushing && this.waiting.length === 0)) return true;
    this.owesDrain = true;
    return false;
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Done, callback?: Done): this {
    if (typeof chunk === 'function') return this.end(null, undefined, chunk as Done);
    const done = typeof encoding === 'function' ? encoding : callback;
    if (!this.reading || this.ending || this.destroyed) return this.endWith(chunk, encoding, done);
    const bytes = chunk === undefined || chunk === null ? null : asBytes(chunk, encoding);
    const isAlone = !this.isFlushing && this.waiting.length === 0;
    if (isAlone && (!bytes || bytes.byteLength <= PIECE)) {
      // Head and body leave together.
      this.reading.unsent.add(bytes && !kept.has(bytes) ? bytes.byteLength : 0);
      this.reading.time.expect();
      return this.endWith(bytes, undefined, done);
    }
    if (bytes) this.keep(this.reading, bytes, undefined);
    this.ending = { done };
    this.flush();
    return this;
  }

  /** Node says so after each piece; whoever writes is to wait until all of theirs are gone. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    return event === 'drain' && this.reading ? false : super.emit(event, ...args);
  }

  private endWith(chunk: unknown, encoding: BufferEncoding | Done | undefined, done: Done | undefined): this {
    return chunk === undefined || chunk === null ? super.end(done) : super.end(asBytes(chunk, encoding), done);
  }

  private keep({ unsent }: Reader, bytes: Uint8Array, done: Done | undefined): void {
    const counts = !kept.has(bytes);
    for (let at = 0; at < bytes.byteLength || at === 0; at += PIECE)
      this.waiting.push({
        bytes: bytes.subarray(at, at + PIECE),
        counts,
        done: at + PIECE >= bytes.byteLength ? done : undefined,
      });
    // May hang up on this very answer.
    unsent.add(counts ? bytes.byteLength : 0);
  }

  private flush(): void {
    const { reading } = this;
    if (this.isFlushing || !reading) return;
    const piece = this.waiting.shift();
    if (!piece) return this.allGone(reading);
    this.isFlushing = true;
    reading.time.expect();
    const { ending } = this;
    if (!ending || this.waiting.length > 0) return this.send(piece, reading);
    // The last one ends it: its reader may send the next request as soon as they have it.
    super.end(piece.bytes, () => {
      piece.done?.();
      ending.done?.();
    });
  }

  private send(piece: Piece, reading: Reader): void {
    super.write(piece.bytes, error => {
      this.isFlushing = false;
      reading.time.came();
      reading.time.took(piece.bytes.byteLength);
      reading.unsent.sent(piece.counts ? piece.bytes.byteLength : 0);
      piece.done?.(error);
      if (!error) this.flush();
    });
  }

  private allGone({ time }: Reader): void {
    if (this.ending) {
      time.expect();
      super.end(this.ending.done);
    } else if (this.owesDrain) {
      this.owesDrain = false;
      super.emit('drain');
    }
  }
}

function asBytes(chunk: unknown, encoding: BufferEncoding | Done | undefined): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  return Buffer.from(String(chunk), typeof encoding === 'string' ? encoding : 'utf8');
}
