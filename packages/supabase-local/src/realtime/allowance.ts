import { widerLimit, widerNetworkOf } from '../limits/network-of.ts';

/** So much each second, and so much at once. */
export type AllowanceLimits = { perSecond: number; burst: number };

type Bucket = { left: number; at: number };

/** Buckets that have filled up again are forgotten once there are so many. */
const MANY = 1000;

/** What each of many may use up, by key; it comes back with time (a token bucket each). */
export class Allowances {
  private readonly buckets = new Map<string, Bucket>();
  private readonly limits: AllowanceLimits;

  constructor(limits: AllowanceLimits) {
    this.limits = limits;
  }

  private bucketOf(key: string, now: number): Bucket {
    const { perSecond, burst } = this.limits;
    const known = this.buckets.get(key);
    const bucket = known ?? { left: burst, at: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (!known) this.keep(key, bucket, now);
    return bucket;
  }

  private keep(key: string, bucket: Bucket, now: number): void {
    const { perSecond, burst } = this.limits;
    if (this.buckets.size >= MANY)
      for (const [name, { left, at }] of this.buckets)
        if (left + ((now - at) / 1000) * perSecond >= burst) this.buckets.delete(name);
    this.buckets.set(key, bucket);
  }

  /** @returns whether there is as much left */
  has(key: string, amount: number, now: number): boolean {
    return this.bucketOf(key, now).left >= amount;
  }

  /** Uses it up, also what is not there: that is owed, up to a burst. @returns how much of it counted, and ms until nothing is owed */
  use(key: string, amount: number, now: number): { counted: number; waitMs: number } {
    const { perSecond, burst } = this.limits;
    const bucket = this.bucketOf(key, now);
    const counted = Math.min(amount, bucket.left + burst);
    bucket.left -= counted;
    return { counted, waitMs: bucket.left >= 0 ? 0 : (-bucket.left / perSecond) * 1000 };
  }
}

/** One allowance for a person, for their network and for everybody. */
export type SharedLimits = { person: AllowanceLimits; network: AllowanceLimits; all: AllowanceLimits };

/** Who uses something up; `person` is null while nobody knows. */
export type User = { person: string | null; network: string };

export class SharedAllowance {
  private readonly person: Allowances;
  private readonly network: Allowances;
  /** Of all networks that begin alike. */
  private readonly wider: Allowances;
  private readonly all: Allowances;

  constructor({ person, network, all }: SharedLimits) {
    this.person = new Allowances(person);
    this.network = new Allowances(network);
    this.wider = new Allowances({
      perSecond: widerLimit(network.perSecond, all.perSecond),
      burst: widerLimit(network.burst, all.burst),
    });
    this.all = new Allowances(all);
  }

  private keysOf({ person, network }: User): [Allowances, string][] {
    const own: [Allowances, string][] = person === null ? [] : [[this.person, person]];
    const wider = widerNetworkOf(network);
    const beside: [Allowances, string][] = wider === null ? [] : [[this.wider, wider]];
    return [...own, [this.network, network], ...beside, [this.all, '']];
  }

  /**
   * What a person or a network owes already counts no further, so that nobody makes everybody else owe.
   *
   * @param now milliseconds of a clock that does not go back
   * @returns ms until nothing is owed
   */
  use(user: User, amount: number, now: number): number {
    let [left, longest] = [amount, 0];
    for (const [of, key] of this.keysOf(user)) {
      const { counted, waitMs } = of.use(key, left, now);
      left = counted;
      longest = Math.max(longest, waitMs);
    }
    return longest;
  }

  /** @returns whether all have as much left; nothing is used up where one has not */
  spend(user: User, amount: number, now: number): boolean {
    const keys = this.keysOf(user);
    if (!keys.every(([of, key]) => of.has(key, amount, now))) return false;
    for (const [of, key] of keys) of.use(key, amount, now);
    return true;
  }
}
