import { networkShares } from './network-of.ts';

type Limits = {
  /** Bytes of one asker at once: a person, or all visitors of a network. */
  asker: number;
  /** Bytes of one network at once. */
  network: number;
  /** Bytes of all at once. */
  all: number;
};

/** Whose bytes they are. `person` is null for a visitor. */
export type Sender = { network: string; person: string | null };

/** What one request holds of the room; to be given back when it is answered. */
export type ByteReservation = {
  /** Asks for so many bytes more. @returns whether there is room */
  grow(bytes: number): boolean;
  release(): void;
};

/**
 * How many bytes of bodies are in memory, or on their way to the disk, at once. One person, or the visitors of a network, never get the
 * whole share of their network: somebody who begins requests and does not end them is in nobody's way but their own.
 */
export class BytesInFlight {
  private readonly held = new Map<string, number>();
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** @returns a hold of nothing, which grows */
  begin(sender: Sender): ByteReservation {
    const shares = this.sharesOf(sender);
    let mine = 0;
    return {
      grow: bytes => {
        const isFree = shares.every(([name, limit]) => this.of(name) + bytes <= limit);
        if (isFree) {
          mine += bytes;
          for (const [name] of shares) this.add(name, bytes);
        }
        return isFree;
      },
      release: () => {
        for (const [name] of shares) this.add(name, -mine);
        mine = 0;
      },
    };
  }

  /** Whether the sender or their network has taken its own share; otherwise it is all together who are too many. */
  isFull(sender: Sender, bytes: number): boolean {
    return this.sharesOf(sender).some(([name, limit]) => name !== 'all' && this.of(name) + bytes > limit);
  }

  private sharesOf({ network, person }: Sender): [string, number][] {
    return [
      ['all', this.limits.all],
      ...networkShares(network, this.limits.network).map(([name, limit]): [string, number] => [
        `network ${name}`,
        limit,
      ]),
      [person === null ? `visitors ${network}` : `person ${person}`, this.limits.asker],
    ];
  }

  private of(name: string): number {
    return this.held.get(name) ?? 0;
  }

  private add(name: string, bytes: number): void {
    const now = this.of(name) + bytes;
    if (now > 0) this.held.set(name, now);
    else this.held.delete(name);
  }
}
