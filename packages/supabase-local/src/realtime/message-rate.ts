/** Counts what comes in a window of time. */
export class MessageRate {
  private readonly most: number;
  private readonly windowMs: number;
  private from = Number.NEGATIVE_INFINITY;
  private count = 0;

  constructor(most: number, windowMs: number) {
    this.most = most;
    this.windowMs = windowMs;
  }

  /** @param now milliseconds of a clock that does not go back. @returns whether one more is too many */
  isOver(now: number): boolean {
    if (now - this.from >= this.windowMs) {
      this.from = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > this.most;
  }
}
