type CachedFeed = { tag: string; text: string; until: number };

/** Characters, of at most two bytes each, and feeds. */
const MAX_LENGTH = 16 * 1024 * 1024;
const MAX_FEEDS = 200;
/** Longer than the several devices of a person ask apart. */
const TTL_MS = 10 * 60_000;

type Limits = { maxLength: number; maxFeeds: number; ttlMs: number };

/**
 * The texts of feeds that were made lately. Whoever answers with one has asked the database whether it is the feed
 * of that token now, by its tag: what was revoked, or whose rows have changed, is not shown.
 */
export class FeedCache {
  private readonly feeds = new Map<string, CachedFeed>();
  private length = 0;
  private readonly limits: Limits;
  private readonly now: () => number;

  /** @param now milliseconds of a clock that does not go back */
  constructor(
    limits: Limits = { maxLength: MAX_LENGTH, maxFeeds: MAX_FEEDS, ttlMs: TTL_MS },
    now: () => number = () => performance.now(),
  ) {
    this.limits = limits;
    this.now = now;
  }

  /** To be answered with only where its tag is that of the feed now; null where none is kept. */
  of(token: string): { tag: string; text: string } | null {
    for (const [name, { until }] of this.feeds) if (until <= this.now()) this.forget(name);
    return this.feeds.get(token) ?? null;
  }

  keep(token: string, tag: string, text: string): void {
    this.forget(token);
    if (text.length > this.limits.maxLength) return;
    this.feeds.set(token, { tag, text, until: this.now() + this.limits.ttlMs });
    this.length += text.length;
    for (const [oldest] of this.feeds) {
      if (this.feeds.size <= this.limits.maxFeeds && this.length <= this.limits.maxLength) return;
      this.forget(oldest);
    }
  }

  forget(token: string): void {
    this.length -= this.feeds.get(token)?.text.length ?? 0;
    this.feeds.delete(token);
  }
}
