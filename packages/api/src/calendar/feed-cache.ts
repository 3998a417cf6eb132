type Bytes = Uint8Array<ArrayBuffer>;
type CachedFeed = { tag: string; text: Bytes; until: number };

/** Bytes, and feeds. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_FEEDS = 200;
/** Longer than the several devices of a person ask apart. */
const TTL_MS = 10 * 60_000;

type Limits = { maxBytes: number; maxFeeds: number; ttlMs: number };

/**
 * The texts of feeds that were made lately, as the bytes that all who ask for them share. Whoever answers with one has asked the database
 * whether it is the feed of that token now, by its tag: what was revoked, or whose rows have changed, is not shown.
 */
export class FeedCache {
  private readonly feeds = new Map<string, CachedFeed>();
  private bytes = 0;
  private readonly limits: Limits;
  private readonly now: () => number;

  /** @param now milliseconds of a clock that does not go back */
  constructor(
    limits: Limits = { maxBytes: MAX_BYTES, maxFeeds: MAX_FEEDS, ttlMs: TTL_MS },
    now: () => number = () => performance.now(),
  ) {
    this.limits = limits;
    this.now = now;
  }

  /** To be answered with only where its tag is that of the feed now; null where none is kept. */
  of(token: string): { tag: string; text: Bytes } | null {
    for (const [name, { until }] of this.feeds) if (until <= this.now()) this.forget(name);
    return this.feeds.get(token) ?? null;
  }

  keep(token: string, tag: string, text: Bytes): void {
    this.forget(token);
    if (text.byteLength > this.limits.maxBytes) return;
    this.feeds.set(token, { tag, text, until: this.now() + this.limits.ttlMs });
    this.bytes += text.byteLength;
    for (const [oldest] of this.feeds) {
      if (this.feeds.size <= this.limits.maxFeeds && this.bytes <= this.limits.maxBytes) return;
      this.forget(oldest);
    }
  }

  forget(token: string): void {
    this.bytes -= this.feeds.get(token)?.text.byteLength ?? 0;
    this.feeds.delete(token);
  }
}
