import { networkShares, widestNetworkOf } from './network-of.ts';

export type ByteLimits = {
  /** Bytes of one asker at once: a person, or all visitors of a network. */
  asker: number;
  /** Bytes of one network at once. */
  network: number;
  /** Bytes of all at once. */
  all: number;
};

/** With a room beside for bodies of at most so many bytes: whoever sends large ones is in no small one's way. */
type RoomLimits = ByteLimits & { small?: ByteLimits & { bytes: number } };

/** Whose bytes they are. `person` is null for a visitor. */
export type Sender = { network: string; person: string | null };

/** What one request holds of the room; to be given back when it is answered. */
export type ByteReservation = {
  /** Asks for so many bytes more. @returns whether there is room */
  grow(bytes: number): boolean;
  /** Whether it is the sender's own share, or their network's, that so many more do not fit in. */
  isFull(bytes: number): boolean;
  /** The body is whole, and worked with: it is no longer given up for others. */
  settle(): void;
  /** The body is whole and only waits: until it is settled again it gives way as one that still comes does. */
  giveWay(giveUp: () => void): void;
  release(): void;
};

type OpenBody = { sender: Sender; room: Room; bytes: number; giveUp: (() => void) | null; isGivenUp: boolean };

type Room = { name: string; limits: ByteLimits; /** Bytes of the largest body in it. */ most: number };

/** The small room first, where there is one. */
function roomsOf(name: string, { small, ...limits }: RoomLimits): Room[] {
  const large = { name, limits, most: Number.POSITIVE_INFINITY };
  return small ? [{ name: `small ${name}`, limits: small, most: small.bytes }, large] : [large];
}

/**
 * How many bytes of bodies are in memory, or on their way to the disk, at once. One person, or the visitors of a network, never get the
 * whole share of their network: somebody who begins requests and does not end them is in nobody's way but their own. Visitors have a room
 * apart from that of sessions, and small bodies one apart from that of large ones. Where one is full the network that has most of it gives
 * up its oldest body that nobody works with yet: it still comes, or waits for its turn.
 */
export class BytesInFlight {
  private readonly held = new Map<string, number>();
  /** Those that may be given up, in the order in which they began, or began to wait. */
  private readonly open = new Set<OpenBody>();
  private readonly sessions: Room[];
  private readonly visitors: Room[];

  /** @param visitors of everybody without a session; the same rooms for all where it is left out */
  constructor(sessions: RoomLimits, visitors?: RoomLimits) {
    this.sessions = roomsOf('sessions', sessions);
    this.visitors = visitors ? roomsOf('visitors', visitors) : this.sessions;
  }

  /**
   * @param giveUp ends the request whose body is still coming; without it this one is never given up
   * @returns a hold of nothing, which grows
   */
  begin(sender: Sender, giveUp: (() => void) | null = null): ByteReservation {
    const [room] = this.roomsOf(sender);
    if (!room) throw new Error('no room');
    const body: OpenBody = { sender, room, bytes: 0, giveUp: null, isGivenUp: false };
    const giveWay = (end: () => void) => {
      body.giveUp = end;
      this.open.add(body);
    };
    if (giveUp) giveWay(giveUp);
    return {
      grow: bytes => !body.isGivenUp && this.grow(body, bytes),
      isFull: bytes => !body.isGivenUp && this.shareLeft(body, bytes).length === 0,
      settle: () => void this.open.delete(body),
      giveWay,
      release: () => this.letGo(body),
    };
  }

  /** Whether the sender or their network has taken its own share; otherwise it is all together who are too many. */
  isFull(sender: Sender, bytes: number): boolean {
    return this.roomsOf(sender).every(room => !this.isInShare(sender, room, bytes));
  }

  private isInShare(sender: Sender, room: Room, bytes: number): boolean {
    return bytes <= room.most && sharesOf(sender, room).every(([name, limit]) => this.of(name) + bytes <= limit);
  }

  /** Rooms of whose shares so many bytes more are left: the one the body lies in, or for all of it a wider one. */
  private shareLeft({ sender, room: own, bytes: held }: OpenBody, bytes: number): { room: Room; more: number }[] {
    const rooms = this.roomsOf(sender);
    return rooms
      .slice(rooms.indexOf(own))
      .filter(({ most }) => held + bytes <= most)
      .map(room => ({ room, more: room === own ? bytes : held + bytes }))
      .filter(({ room, more }) => this.isInShare(sender, room, more));
  }

  private grow(body: OpenBody, bytes: number): boolean {
    const all = body.bytes + bytes;
    for (const { room, more } of this.shareLeft(body, bytes)) {
      if (!this.makeRoom(room, body, more)) continue;
      this.count(body, -body.bytes);
      Object.assign(body, { room, bytes: all });
      this.count(body, all);
      return true;
    }
    return false;
  }

  private count({ sender, room }: OpenBody, bytes: number): void {
    const names = [room.name, groupKey(room, sender), ...sharesOf(sender, room).map(([name]) => name)];
    for (const name of names) this.add(name, bytes);
  }

  private letGo(body: OpenBody): void {
    this.open.delete(body);
    this.count(body, -body.bytes);
    body.bytes = 0;
  }

  private roomsOf({ person }: Sender): Room[] {
    return person === null ? this.visitors : this.sessions;
  }

  private makeRoom(room: Room, asking: OpenBody, bytes: number): boolean {
    while (this.of(room.name) + bytes > room.limits.all) {
      const victim = this.greediest(room, asking, bytes);
      if (!victim?.giveUp) return false;
      victim.isGivenUp = true;
      this.letGo(victim);
      victim.giveUp();
    }
    return true;
  }

  /** The oldest that nobody works with yet, of whoever has most and more than who asks would have. */
  private greediest(room: Room, asking: OpenBody, bytes: number): OpenBody | null {
    let [found, most] = [null as OpenBody | null, this.of(groupKey(room, asking.sender)) + bytes];
    for (const each of this.open) {
      if (each === asking || each.room !== room || each.bytes === 0) continue;
      const has = this.of(groupKey(room, each.sender));
      if (has > most) [found, most] = [each, has];
    }
    return found;
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

/** Networks that begin alike are one here: nobody has more of a turn by renting many. */
const groupKey = ({ name }: Room, { network }: Sender): string => `${name} group ${widestNetworkOf(network)}`;

/** What of a room one sender may have, each share with its limit. */
function sharesOf({ network, person }: Sender, { name: room, limits }: Room): [string, number][] {
  return [
    ...networkShares(network, limits.network, limits.all).map(([name, limit]): [string, number] => [
      `${room} network ${name}`,
      limit,
    ]),
    [person === null ? `${room} visitors ${network}` : `${room} person ${person}`, limits.asker],
  ];
}
