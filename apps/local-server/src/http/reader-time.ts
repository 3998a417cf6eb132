/** How long the server waits for whoever reads an answer. */
export type ReadingLimits = {
  /** ms until the next piece is asked for. */
  stallMs: number;
  /** ms in all that were waited for the reader: so many, and more with each byte they took. */
  graceMs: number;
  bytesPerSecond: number;
  /** ms an answer is open, whoever is slow. */
  openMs: number;
};

/** A phone that takes 0.25 Mbit/s has its answer; one that takes none is in the way for a quarter of a minute. */
export const READING_LIMITS: ReadingLimits = {
  stallMs: 15_000,
  graceMs: 60_000,
  bytesPerSecond: 32 * 1024,
  openMs: 3_600_000,
};

/** The time one reader has for an answer. */
export class ReaderTime {
  private readonly limits: ReadingLimits;
  private readonly onLate: () => void;
  private readonly began = performance.now();
  private since = this.began;
  private waitedMs = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param onLate called once the time is over; not after `end` */
  constructor(limits: ReadingLimits, onLate: () => void) {
    this.limits = limits;
    this.onLate = onLate;
  }

  /** From now on the reader is waited for. */
  expect(): void {
    const { stallMs, graceMs, bytesPerSecond, openMs } = this.limits;
    this.since = performance.now();
    const left = graceMs + (this.bytes / bytesPerSecond) * 1000 - this.waitedMs;
    const leftInAll = this.began + openMs - this.since;
    this.timer = setTimeout(this.onLate, Math.max(0, Math.min(stallMs, left, leftInAll))).unref();
  }

  /** The reader asked for the next piece. */
  came(): void {
    clearTimeout(this.timer);
    this.waitedMs += performance.now() - this.since;
  }

  took(bytes: number): void {
    this.bytes += bytes;
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
