import { encode, type Message, type Version } from './phoenix.ts';

/** As a socket sends it; null: a client of that version cannot be told it. */
export type EncodedFrame = { data: Buffer; isBinary: boolean } | null;

/** One message for many: encoded once for each version of the protocol, whoever and however many hear it. */
export class Frame {
  readonly message: Message;
  private readonly encoded = new Map<Version, EncodedFrame>();

  constructor(message: Message) {
    this.message = message;
  }

  as(version: Version): EncodedFrame {
    const known = this.encoded.get(version);
    if (known !== undefined) return known;
    const data = encode(version, this.message);
    const made = data === null ? null : { data: Buffer.from(data), isBinary: typeof data !== 'string' };
    this.encoded.set(version, made);
    return made;
  }

  /** Bytes to a client of the newer version, which is told everything. */
  get size(): number {
    return this.as(2)?.data.byteLength ?? 0;
  }
}
