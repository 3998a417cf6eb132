type Limits = {
  /** Bytes of one network at once. */
  each: number;
  /** Bytes of all at once. */
  all: number;
};

/** What one request holds of the room; to be given back when it is answered. */
export type Hold = {
  /** Asks for so many bytes more. @returns whether there is room */
  grow(bytes: number): boolean;
  release(): void;
};

/** How many bytes of bodies are in memory, or on their way to the disk, at once: of one network, and of all. */
export class BytesInFlight {
  private readonly held = new Map<string, number>();
  private all = 0;
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** @returns a hold of nothing, which grows */
  begin(network: string): Hold {
    let mine = 0;
    return {
      grow: bytes => {
        const isFree = this.of(network) + bytes <= this.limits.each && this.all + bytes <= this.limits.all;
        if (isFree) {
          mine += bytes;
          this.add(network, bytes);
        }
        return isFree;
      },
      release: () => {
        this.add(network, -mine);
        mine = 0;
      },
    };
  }

  /** Whether a network has taken its own share; otherwise it is all together who are too many. */
  isFull(network: string, bytes: number): boolean {
    return this.of(network) + bytes > this.limits.each;
  }

  private of(network: string): number {
    return this.held.get(network) ?? 0;
  }

  private add(network: string, bytes: number): void {
    this.all += bytes;
    const now = this.of(network) + bytes;
    if (now > 0) this.held.set(network, now);
    else this.held.delete(network);
  }
}
