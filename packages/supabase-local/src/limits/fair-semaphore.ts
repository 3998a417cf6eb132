import type { Release, Slot } from './slot.ts';

type Limits = {
  /** Of one caller at once. */
  each: number;
  /** Of all at once. */
  all: number;
  /** Of one caller that wait. */
  waiting: number;
};

type QueuedTurn = { key: string; start: () => void };

/**
 * Who may work at once: so many of one caller, so many of all. Whoever has the least in hand is next, so that a caller with many
 * waiting keeps nobody else from theirs.
 */
export class FairSemaphore {
  private readonly inHand = new Map<string, number>();
  private all = 0;
  private waiting: QueuedTurn[] = [];

  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** @returns null when this caller has too many waiting already, or hung up before the turn came */
  async take(key: string, signal: AbortSignal): Promise<Slot | null> {
    if (signal.aborted) return null;
    if (this.isFree(key)) return { release: this.begin(key), waited: false };
    if (this.waiting.filter(each => each.key === key).length >= this.limits.waiting) return null;
    const release = await this.place(key, signal);
    return release && { release, waited: true };
  }

  private place(key: string, signal: AbortSignal): Promise<Release | null> {
    return new Promise(resolve => {
      const gone = () => {
        this.waiting = this.waiting.filter(each => each !== mine);
        resolve(null);
      };
      const mine: QueuedTurn = {
        key,
        start: () => {
          signal.removeEventListener('abort', gone);
          resolve(this.begin(key));
        },
      };
      signal.addEventListener('abort', gone, { once: true });
      this.waiting.push(mine);
    });
  }

  private count(key: string): number {
    return this.inHand.get(key) ?? 0;
  }

  private isFree(key: string): boolean {
    return this.all < this.limits.all && this.count(key) < this.limits.each;
  }

  private begin(key: string): Release {
    this.all += 1;
    this.inHand.set(key, this.count(key) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.all -= 1;
      if (this.count(key) === 1) this.inHand.delete(key);
      else this.inHand.set(key, this.count(key) - 1);
      this.next();
    };
  }

  private next(): void {
    let chosen: QueuedTurn | null = null;
    for (const each of this.waiting) {
      if (this.isFree(each.key) && (!chosen || this.count(each.key) < this.count(chosen.key))) chosen = each;
    }
    if (!chosen) return;
    this.waiting = this.waiting.filter(each => each !== chosen);
    chosen.start();
  }
}
