import { networkShares } from '../limits/network-of.ts';
import { Allowances, SharedAllowance, type SharedLimits, type User } from './allowance.ts';

const KB = 1024;
const MB = 1024 * KB;

/** How many sockets, how much waits unsent (bytes). */
type Limits = {
  sockets: { person: number; network: number; all: number };
  /** Of these, such as have joined nothing. */
  unjoined: {
    network: number;
    all: number;
    /** Beyond all, for networks that have none. */
    first: number;
  };
  /** New ones. */
  opened: SharedLimits;
  unsentBytes: { socket: number; network: number; all: number };
  messages: SharedLimits;
  bytes: SharedLimits;
  /** Bytes to all who hear a message, each with what its frame costs. */
  fanOut: SharedLimits;
};

/** A whole site may stand behind one address, and everybody behind a proxy: a network has a good part of all, not all. */
export const REALTIME_LIMITS: Limits = {
  sockets: { person: 20, network: 1000, all: 4000 },
  unjoined: { network: 200, all: 500, first: 500 },
  // A whole site comes back at once when the server was started anew.
  opened: {
    // Joined by one person: twenty devices that lose their line again and again within a minute are not one person's day.
    person: { perSecond: 1, burst: 60 },
    network: { perSecond: 20, burst: 1000 },
    all: { perSecond: 100, burst: 4000 },
  },
  unsentBytes: { socket: MB, network: 16 * MB, all: 64 * MB },
  messages: {
    person: { perSecond: 100, burst: 300 },
    network: { perSecond: 500, burst: 3000 },
    all: { perSecond: 2000, burst: 8000 },
  },
  bytes: {
    person: { perSecond: 512 * KB, burst: 2 * MB },
    network: { perSecond: 2 * MB, burst: 8 * MB },
    all: { perSecond: 6 * MB, burst: 16 * MB },
  },
  fanOut: {
    person: { perSecond: 4 * MB, burst: 8 * MB },
    network: { perSecond: 6 * MB, burst: 12 * MB },
    all: { perSecond: 12 * MB, burst: 24 * MB },
  },
};

/** What a frame costs beside its bytes, as bytes: a thousand small ones are work too. */
const FRAME_COST = 500;

/** Not an address. */
const EVERYBODY = 'all';

class KeyCounter {
  private readonly by = new Map<string, number>();

  of(key: string): number {
    return this.by.get(key) ?? 0;
  }

  add(key: string, amount: number): void {
    const sum = this.of(key) + amount;
    if (sum === 0) this.by.delete(key);
    else this.by.set(key, sum);
  }
}

/** What one socket takes of what there is; given back at its end. */
export class SocketShare {
  readonly network: string;
  /** Who joined by it first; null before. */
  person: string | null = null;
  private readonly limits: RealtimeLimits;
  private unsentBytes = 0;
  private isJoined = false;
  private isOver = false;

  constructor(limits: RealtimeLimits, network: string) {
    this.limits = limits;
    this.network = network;
    limits.count({ sockets: 1, unjoined: 1 }, network);
  }

  /** @returns whether somebody may join by this socket: not by more than some at once, nor by a new one again and again */
  mayJoin(person: string | null, now = performance.now()): boolean {
    return person === null || person === this.person || this.limits.admitPerson(person, now);
  }

  joined(person: string | null): void {
    if (!this.isJoined) this.limits.count({ unjoined: -1 }, this.network);
    this.isJoined = true;
    if (person === this.person) return;
    if (this.person !== null) this.limits.countPerson(this.person, -1);
    if (person !== null) this.limits.countPerson(person, 1);
    this.person = person;
  }

  /** It has no channel any more. */
  left(): void {
    if (this.isJoined && !this.isOver) this.limits.count({ unjoined: 1 }, this.network);
    this.isJoined = false;
  }

  /** @returns ms to wait before it is answered: more came than its share */
  heard(bytes: number): number {
    return this.limits.heard(this, bytes);
  }

  /** @returns whether so many bytes more may wait for whoever reads this socket */
  holds(bytes: number): boolean {
    if (this.isOver || !this.limits.canBuffer(this.network, this.unsentBytes + bytes, bytes)) return false;
    this.unsentBytes += bytes;
    this.limits.count({ unsentBytes: bytes }, this.network);
    return true;
  }

  sent(bytes: number): void {
    if (this.isOver) return;
    this.unsentBytes -= bytes;
    this.limits.count({ unsentBytes: -bytes }, this.network);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.limits.count({ sockets: -1, unjoined: this.isJoined ? 0 : -1, unsentBytes: -this.unsentBytes }, this.network);
    if (this.person !== null) this.limits.countPerson(this.person, -1);
  }
}

type CountedResource = 'sockets' | 'unjoined' | 'unsentBytes';

/** What the realtime sockets may take of this server: by person, by network and in all (decision 16). */
export class RealtimeLimits {
  private readonly limits: Limits;
  private readonly counts = { sockets: new KeyCounter(), unjoined: new KeyCounter(), unsentBytes: new KeyCounter() };
  private readonly people = new KeyCounter();
  private readonly opened: SharedAllowance;
  private readonly openedBy: Allowances;
  private readonly messages: SharedAllowance;
  private readonly bytes: SharedAllowance;
  private readonly fanOut: SharedAllowance;

  constructor(limits: Limits = REALTIME_LIMITS) {
    this.limits = limits;
    this.opened = new SharedAllowance(limits.opened);
    this.openedBy = new Allowances(limits.opened.person);
    this.messages = new SharedAllowance(limits.messages);
    this.bytes = new SharedAllowance(limits.bytes);
    this.fanOut = new SharedAllowance(limits.fanOut);
  }

  private hasRoom(name: 'sockets' | 'unjoined', network: string): boolean {
    const { [name]: counts } = this.counts;
    const { [name]: limits } = this.limits;
    if (networkShares(network, limits.network, limits.all).some(([key, limit]) => counts.of(key) >= limit))
      return false;
    const isFirst = name === 'unjoined' && counts.of(network) === 0;
    return counts.of(EVERYBODY) < limits.all + (isFirst ? this.limits.unjoined.first : 0);
  }

  /** @returns null when there are too many sockets, too many that have joined nothing, or too many new ones */
  admit(network: string, now = performance.now()): SocketShare | null {
    const isFull = !this.hasRoom('sockets', network) || !this.hasRoom('unjoined', network);
    if (isFull || !this.opened.spend({ person: null, network }, 1, now)) return null;
    return new SocketShare(this, network);
  }

  /** Notes of a network, and of all, what came or went. */
  count(change: Partial<Record<CountedResource, number>>, network: string): void {
    for (const name of ['sockets', 'unjoined', 'unsentBytes'] as const) {
      const amount = change[name] ?? 0;
      if (amount === 0) continue;
      for (const [key] of networkShares(network, 0)) this.counts[name].add(key, amount);
      this.counts[name].add(EVERYBODY, amount);
    }
  }

  countPerson(person: string, by: number): void {
    this.people.add(person, by);
  }

  /** Whose a socket is, is known once they join by it: the rate by network counts where it is opened, theirs there. */
  admitPerson(person: string, now: number): boolean {
    if (this.people.of(person) >= this.limits.sockets.person || !this.openedBy.has(person, 1, now)) return false;
    this.openedBy.use(person, 1, now);
    return true;
  }

  /** @param ofSocket bytes that would wait for this socket, with the `more` in them */
  canBuffer(network: string, ofSocket: number, more: number): boolean {
    const { unsentBytes } = this.limits;
    if (ofSocket > unsentBytes.socket) return false;
    const { unsentBytes: counts } = this.counts;
    if (
      networkShares(network, unsentBytes.network, unsentBytes.all).some(([key, limit]) => counts.of(key) + more > limit)
    )
      return false;
    return counts.of(EVERYBODY) + more <= unsentBytes.all;
  }

  /** @returns ms until what came fits into what may come */
  heard(user: User, bytes: number, now = performance.now()): number {
    return Math.max(this.messages.use(user, 1, now), this.bytes.use(user, bytes, now));
  }

  /** @returns whether a request of so many bytes may come now; one that may not counts in no share */
  mayCome(user: User, bytes: number, now = performance.now()): boolean {
    return this.messages.spend(user, 1, now) && this.bytes.spend(user, bytes, now);
  }

  /** @returns whether a message of so many bytes may go to so many */
  maySpread(user: User, bytes: number, receivers: number, now = performance.now()): boolean {
    return receivers === 0 || this.fanOut.spend(user, (bytes + FRAME_COST) * receivers, now);
  }
}
