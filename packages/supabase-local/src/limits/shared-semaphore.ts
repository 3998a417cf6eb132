import { dropOldest } from './drop-oldest.ts';
import { networkShares, WIDER_SHARE, widerNetworkOf, widestNetworkOf } from './network-of.ts';
import type { Release, Slot } from './slot.ts';

/** How many calls at once: of one person, of all behind one network, of everybody. */
export type TierLimits = { person: number; network: number; all: number };

type Limits = {
  /** The widest first; a call counts in its own tier and in all before it. */
  tiers: readonly TierLimits[];
  /** How many may wait. */
  waiting: TierLimits;
};

export type TurnRequester = { person: string; network: string };

type QueuedTurn = TurnRequester & { tier: number; isBack: boolean; start: () => void; refuse: () => void };

/** What somebody took counts half after this long (ms). */
const HALF_LIFE_MS = 5_000;
/** Of so many people it is remembered what they took; the longest unseen are forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Time that people took (ms), fading. */
class TimeSpent {
  private readonly by = new Map<string, { ms: number; at: number }>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  of(person: string): number {
    const noted = this.by.get(person);
    return noted ? noted.ms * 0.5 ** ((this.now() - noted.at) / HALF_LIFE_MS) : 0;
  }

  add(person: string, ms: number): void {
    const sum = this.of(person) + ms;
    this.by.delete(person);
    this.by.set(person, { ms: sum, at: this.now() });
    dropOldest(this.by, MAX_REMEMBERED);
  }
}

/**
 * Who may work at once, where many people may stand behind one network and one person may have many accounts: each tier keeps
 * places that the narrower tiers never get. Of those who wait the network with the least in hand is next, in it the person who
 * took least lately; who had a turn already is before all of them; nobody is refused but for too many waiting.
 */
export class SharedSemaphore {
  private readonly inHand = new Map<string, number>();
  private readonly waiting = new Set<QueuedTurn>();
  private readonly spent: TimeSpent;
  private readonly limits: Limits;
  private readonly now: () => number;

  /** @param now milliseconds of a clock that does not go back */
  constructor(limits: Limits, now: () => number = () => performance.now()) {
    this.limits = limits;
    this.now = now;
    this.spent = new TimeSpent(now);
  }

  /** ms this person's calls have taken lately. */
  spentBy(person: string): number {
    return this.spent.of(person);
  }

  /** @returns null where who asks would have to wait */
  takeAtOnce(asker: TurnRequester, tier: number): Slot | null {
    return this.isFree(asker, tier) ? { release: this.begin(asker, tier), waited: false } : null;
  }

  /**
   * @param tier the narrowest this call counts in
   * @returns null when too many wait already, or who asks hung up before the turn came
   */
  take(asker: TurnRequester, tier: number, signal?: AbortSignal): Promise<Slot | null> {
    return this.enter({ ...asker, tier, isBack: false }, signal);
  }

  /**
   * For who had a turn, gave it back to wait elsewhere, and goes on: before all who have not begun. What they have got there, such as one
   * of few places, is held from others as long as they wait here.
   *
   * @returns null when who asks hung up before the turn came
   */
  takeAgain(asker: TurnRequester, tier: number, signal?: AbortSignal): Promise<Slot | null> {
    return this.enter({ ...asker, tier, isBack: true }, signal);
  }

  private async enter(asked: Omit<QueuedTurn, 'start' | 'refuse'>, signal?: AbortSignal): Promise<Slot | null> {
    if (signal?.aborted) return null;
    const free = this.takeAtOnce(asked, asked.tier);
    if (free) return free;
    if (!asked.isBack && !this.mayWait(asked)) return null;
    const release = await this.place(asked, signal);
    return release && { release, waited: true };
  }

  /** What waits of each share, with its limit. */
  private waitingOf({ person, network }: TurnRequester): [string, number][] {
    const { waiting } = this.limits;
    const networks = networkShares(network, waiting.network, waiting.all);
    return [
      [`waiting person ${person}`, waiting.person],
      ...networks.map(([name, limit]): [string, number] => [`waiting network ${name}`, limit]),
    ];
  }

  /** Where the queue is full, whoever has most in it makes room: their newest is refused. */
  private mayWait(asker: TurnRequester): boolean {
    if (this.waitingOf(asker).some(([name, limit]) => this.count(name) >= limit)) return false;
    if (this.waiting.size < this.limits.waiting.all) return true;
    const lengthOf = ({ network }: TurnRequester) => this.count(`waiting network ${widestNetworkOf(network)}`);
    let longest: QueuedTurn | null = null;
    // They lie in the order in which they came.
    for (const each of this.waiting)
      if (!each.isBack && (!longest || lengthOf(each) >= lengthOf(longest))) longest = each;
    if (!longest || lengthOf(longest) <= lengthOf(asker)) return false;
    longest.refuse();
    return true;
  }

  private place(asked: Omit<QueuedTurn, 'start' | 'refuse'>, signal?: AbortSignal): Promise<Release | null> {
    const shares = this.waitingOf(asked);
    return new Promise(resolve => {
      const leave = () => {
        this.waiting.delete(mine);
        for (const [name] of shares) this.add(name, -1);
        signal?.removeEventListener('abort', refuse);
      };
      const refuse = () => {
        leave();
        resolve(null);
      };
      const start = () => {
        leave();
        resolve(this.begin(asked, asked.tier));
      };
      const mine: QueuedTurn = { ...asked, start, refuse };
      signal?.addEventListener('abort', refuse, { once: true });
      this.waiting.add(mine);
      for (const [name] of shares) this.add(name, 1);
    });
  }

  private count(name: string): number {
    return this.inHand.get(name) ?? 0;
  }

  private add(name: string, by: number): void {
    const sum = this.count(name) + by;
    if (sum === 0) this.inHand.delete(name);
    else this.inHand.set(name, sum);
  }

  /** The shares a call counts in, each with its limit. */
  private sharesOf({ person, network }: TurnRequester, tier: number): [string, number][] {
    return this.limits.tiers
      .slice(0, tier + 1)
      .flatMap((limits, at): [string, number][] => [
        [`${at} all`, limits.all],
        ...networkShares(network, limits.network).map(([name, limit]): [string, number] => [
          `${at} network ${name}`,
          limit,
        ]),
        [`${at} person ${person}`, limits.person],
      ]);
  }

  private isFree(asker: TurnRequester, tier: number): boolean {
    return this.sharesOf(asker, tier).every(([name, limit]) => this.count(name) < limit);
  }

  private begin(asker: TurnRequester, tier: number): Release {
    const shares = this.sharesOf(asker, tier);
    const began = this.now();
    for (const [name] of shares) this.add(name, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const [name] of shares) this.add(name, -1);
      this.spent.add(asker.person, this.now() - began);
      this.startNext();
    };
  }

  /** In hand of all networks that begin alike, as one of them would have it: however many somebody rents, none is always the first. */
  private widely({ network }: TurnRequester): number {
    const wider = widerNetworkOf(network);
    return this.count(`0 network ${wider ?? network}`) / (wider === null ? 1 : WIDER_SHARE);
  }

  private comesBefore(one: QueuedTurn, other: QueuedTurn): boolean {
    if (one.isBack !== other.isBack) return one.isBack;
    const wide = this.widely(one) - this.widely(other);
    if (wide !== 0) return wide < 0;
    const networks = this.count(`0 network ${one.network}`) - this.count(`0 network ${other.network}`);
    if (networks !== 0) return networks < 0;
    const people = this.count(`0 person ${one.person}`) - this.count(`0 person ${other.person}`);
    return people === 0 ? this.spent.of(one.person) < this.spent.of(other.person) : people < 0;
  }

  /** A place that was given back can be in the way of two that wait, each of another tier. */
  private startNext(): void {
    for (;;) {
      let chosen: QueuedTurn | null = null;
      for (const each of this.waiting)
        if ((!chosen || this.comesBefore(each, chosen)) && this.isFree(each, each.tier)) chosen = each;
      if (!chosen) return;
      chosen.start();
    }
  }
}
