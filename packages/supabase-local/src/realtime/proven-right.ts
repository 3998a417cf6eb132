type Right = {
  /** @returns whether the right still stands */
  prove(): Promise<boolean>;
  /** It does not; said once. */
  onLost(): void;
  onError(error: unknown): void;
};

/** A right proven so long ago (ms) is asked for again before anything more is told. */
const FRESH_FOR_MS = 60_000;
/** Doubts that come together (ms) are one question. */
const TOGETHER_MS = 250;

/** A right that was proven once, and is proven again when it is old or in doubt; what waits for it keeps its order. */
export class ProvenRight {
  private readonly right: Right;
  private provenAt = performance.now();
  private asking: Promise<boolean> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isOver = false;

  constructor(right: Right) {
    this.right = right;
  }

  /** Does it at once where the right is fresh, after the question where it is not, never where it is gone. */
  whenProven(tell: () => void): void {
    if (this.isOver) return;
    if (!this.asking && performance.now() - this.provenAt < FRESH_FOR_MS) return tell();
    void this.ask().then(isValid => {
      if (isValid && !this.isOver) tell();
    });
  }

  doubt(): void {
    if (this.timer || this.isOver) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.ask();
    }, TOGETHER_MS);
    this.timer.unref();
  }

  /** Another question has just answered it. */
  renew(): void {
    this.provenAt = performance.now();
  }

  end(): void {
    this.isOver = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private ask(): Promise<boolean> {
    this.asking ??= this.right
      .prove()
      .catch((error: unknown) => {
        // Without an answer nothing more is told; the client joins again and pulls.
        this.right.onError(error);
        return false;
      })
      .then(isValid => {
        this.asking = null;
        this.provenAt = performance.now();
        if (!isValid && !this.isOver) {
          this.end();
          this.right.onLost();
        }
        return isValid;
      });
    return this.asking;
  }
}
