/** Bytes of an answer that is written to its line in one go. */
const SMALL = 64 * 1024;

/** A body whose beginning was read, so many bytes of it, to see whether that is all. The rest comes in pieces of 64 kB at most. */
export class BodyPrefix {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly chunks: Uint8Array[] = [];
  private readonly most: number;
  private isAtEnd = false;

  private constructor(body: ReadableStream<Uint8Array>, most: number) {
    this.reader = body.getReader();
    this.most = most;
  }

  static async of(body: ReadableStream<Uint8Array>, most = SMALL): Promise<BodyPrefix> {
    const begun = new BodyPrefix(body, most);
    await begun.begin();
    return begun;
  }

  /** Nothing of it is read before somebody asks. */
  static unread(body: ReadableStream<Uint8Array>): BodyPrefix {
    return new BodyPrefix(body, SMALL);
  }

  /** What lies in memory as long as its beginning does, where that is more than a piece: a small part keeps the whole. */
  get memory(): Set<ArrayBufferLike> {
    return new Set(this.chunks.map(({ buffer }) => buffer).filter(({ byteLength }) => byteLength > SMALL));
  }

  /** All of it, where that is little; null otherwise. */
  get whole(): Buffer<ArrayBuffer> | null {
    return this.isAtEnd && this.bytes <= this.most ? Buffer.concat(this.chunks) : null;
  }

  private get bytes(): number {
    return this.chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  private async begin(): Promise<void> {
    while (!this.isAtEnd && this.bytes <= this.most) await this.read();
  }

  private async read(): Promise<void> {
    const { done, value } = await this.reader.read();
    this.isAtEnd = done;
    const size = value?.byteLength ?? 0;
    for (let at = 0; at < size; at += SMALL) if (value) this.chunks.push(value.subarray(at, at + SMALL));
  }

  /** @returns null after the last */
  async next(): Promise<Uint8Array | null> {
    while (this.chunks.length === 0 && !this.isAtEnd) await this.read();
    return this.chunks.shift() ?? null;
  }

  /** What was read and what is to come, as it is asked for. */
  stream(): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const piece = await this.next();
      if (piece) controller.enqueue(piece);
      else controller.close();
    };
    return new ReadableStream<Uint8Array>({ pull, cancel: reason => this.cancel(reason) }, { highWaterMark: 0 });
  }

  async cancel(reason?: unknown): Promise<void> {
    this.chunks.length = 0;
    this.isAtEnd = true;
    // What broke off already cannot be told so.
    await this.reader.cancel(reason).catch(() => undefined);
  }
}
