import { networkShares, widerNetworkOf } from './network-of.ts';

type ByteLimits = {
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
  /** The body is whole: it is no longer given up for others. */
  settle(): void;
  release(): void;
};

type OpenBody = { room: Room; group: string; bytes: number; giveUp: (() => void) | null };

type Room = { name: string; limits: ByteLimits };

/** Networks that begin alike are one here: nobody has more of a turn by renting many. */
const groupOf = (network: string) => widerNetworkOf(network) ?? network;

/**
 * How many bytes of bodies are in memory, or on their way to the disk, at once. One person, or the visitors of a network, never get the
 * whole share of their network: somebody who begins requests and does not end them is in nobody's way but their own. Visitors have a room
 * apart from that of sessions, and where one is full the network that has most of it gives up its oldest body that is not whole yet.
 */
export class BytesInFlight {
  private readonly held = new Map<string, number>();
  /** In the order in which they began. */
  private readonly open = new Set<OpenBody>();
  private readonly sessions: Room;
  private readonly visitors: Room;

  /** @param visitors of everybody without a session; one room for all where it is left out */
  constructor(sessions: ByteLimits, visitors?: ByteLimits) {
    this.sessions = { name: 'sessions', limits: sessions };
    this.visitors = visitors ? { name: 'visitors', limits: visitors } : this.sessions;
  }

  /**
   * @param giveUp ends the request whose body is still coming; without it this one is never given up
   * @returns a hold of nothing, which grows
   */
  begin(sender: Sender, giveUp: (() => void) | null = null): ByteReservation {
    const body: OpenBody = { room: this.roomOf(sender), group: groupOf(sender.network), bytes: 0, giveUp };
    const shares = [...this.sharesOf(sender).map(([name]) => name), this.groupKey(body)];
    const letGo = () => {
      this.open.delete(body);
      for (const name of shares) this.add(name, -body.bytes);
      body.bytes = 0;
    };
    let isGivenUp = false;
    if (giveUp) {
      this.open.add(body);
      body.giveUp = () => {
        isGivenUp = true;
        letGo();
        giveUp();
      };
    }
    return {
      grow: bytes => {
        if (isGivenUp || this.isFull(sender, bytes) || !this.makeRoom(body, bytes)) return false;
        body.bytes += bytes;
        for (const name of shares) this.add(name, bytes);
        return true;
      },
      settle: () => void this.open.delete(body),
      release: letGo,
    };
  }

  /** Whether the sender or their network has taken its own share; otherwise it is all together who are too many. */
  isFull(sender: Sender, bytes: number): boolean {
    const { name: room } = this.roomOf(sender);
    return this.sharesOf(sender).some(([name, limit]) => name !== room && this.of(name) + bytes > limit);
  }

  private roomOf({ person }: Sender): Room {
    return person === null ? this.visitors : this.sessions;
  }

  private groupKey({ room, group }: OpenBody): string {
    return `${room.name} group ${group}`;
  }

  private makeRoom(asking: OpenBody, bytes: number): boolean {
    const { name, limits } = asking.room;
    while (this.of(name) + bytes > limits.all) {
      const victim = this.greediest(asking, bytes);
      if (!victim?.giveUp) return false;
      victim.giveUp();
    }
    return true;
  }

  /** The oldest that is not whole, of whoever has most and more than who asks would have. */
  private greediest(asking: OpenBody, bytes: number): OpenBody | null {
    let [found, most] = [null as OpenBody | null, this.of(this.groupKey(asking)) + bytes];
    for (const each of this.open) {
      if (each.room !== asking.room || !each.giveUp || each.bytes === 0) continue;
      const has = this.of(this.groupKey(each));
      if (has > most) [found, most] = [each, has];
    }
    return found;
  }

  private sharesOf(sender: Sender): [string, number][] {
    const { network, person } = sender;
    const { name: room, limits } = this.roomOf(sender);
    return [
      [room, limits.all],
      ...networkShares(network, limits.network, limits.all).map(([name, limit]): [string, number] => [
        `${room} network ${name}`,
        limit,
      ]),
      [person === null ? `${room} visitors ${network}` : `${room} person ${person}`, limits.asker],
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
