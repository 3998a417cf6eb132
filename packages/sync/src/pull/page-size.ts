/** Changes asked for at least: a page costs some 3 KB beside its rows, and a wait. */
const PAGE = 2500;
/** Changes asked for where answers are slow, or the line has just broken: what breaks off takes less with it. */
const SMALL_PAGE = 1000;
/** Most changes asked for at once. */
const LARGE_PAGE = 5000;
/** ms; after a page that took longer small ones are asked for. */
const SLOW = 8000;
/** How much more than fits the line: a larger page takes the server longer. */
const HEADROOM = 1.5;

/**
 * How many changes to ask for: as many as come through the line while a page is asked for and made, so that it is never
 * idle. As congestion control takes it (BBR): what the line carries times the shortest wait seen.
 */
export class PageSize {
  limit: number;
  /** Whether the last page took too long, or the line broke: each page has the line for itself then. */
  isSlow: boolean;
  /** Shortest time between a request and its page's head, ms. */
  private wait = Number.POSITIVE_INFINITY;
  /** Most changes asked for since an answer was refused as too large; twice as many with each page that came. */
  private ceiling = Number.POSITIVE_INFINITY;

  /** @param isBreaking whether the pull before broke off */
  constructor(isBreaking: boolean) {
    this.isSlow = isBreaking;
    this.limit = isBreaking ? SMALL_PAGE : PAGE;
  }

  /** @param asked changes; whole: ms until all of the page was here; head: until its head was, null where it was not told */
  came(asked: number, whole: number, head: number | null): void {
    this.isSlow = whole >= SLOW;
    // A coarse clock may say 0.
    if (head !== null) this.wait = Math.min(this.wait, Math.max(head, 1));
    const perMs = head === null ? Number.POSITIVE_INFINITY : asked / Math.max(whole - head, 1);
    const fitting = Math.ceil(HEADROOM * this.wait * perMs);
    this.ceiling *= 2;
    const wanted = this.isSlow ? SMALL_PAGE : Math.min(Math.max(fitting, PAGE), LARGE_PAGE);
    this.limit = Math.min(wanted, this.ceiling);
  }

  /**
   * The answer was larger than whoever stands on the way lets through: half as much is asked for, down to a single change.
   *
   * @param asked changes
   * @returns whether there is less to ask for
   */
  tooLarge(asked: number): boolean {
    this.ceiling = Math.max(1, Math.floor(asked / 2));
    this.limit = Math.min(this.limit, this.ceiling);
    return asked > 1;
  }
}
