/** Changes asked for first, and where answers are slow. */
const PAGE = 1000;
/** Most changes asked for at once. */
const LARGE_PAGE = 5000;
/** ms; after a page that took longer small ones are asked for: a line that breaks must not take all of a large one. */
const SLOW = 4000;
/** How much more than fits the line: a larger page takes the server longer. */
const SPARE = 1.5;

/**
 * How many changes to ask for: as many as come through the line while a page is asked for and made, so that it is never
 * idle. As congestion control takes it (BBR): what the line carries times the shortest wait seen.
 */
export class PageSize {
  limit = PAGE;
  /** Whether the last page took too long. */
  isSlow = false;
  /** Shortest time between a request and its page's head, ms. */
  private wait = Number.POSITIVE_INFINITY;

  /** @param asked changes; whole: ms until all of the page was here; head: until its head was, null where it was not told */
  came(asked: number, whole: number, head: number | null): void {
    this.isSlow = whole >= SLOW;
    // A coarse clock may say 0.
    if (head !== null) this.wait = Math.min(this.wait, Math.max(head, 1));
    const perMs = head === null ? Number.POSITIVE_INFINITY : asked / Math.max(whole - head, 1);
    const fitting = Math.ceil(SPARE * this.wait * perMs);
    this.limit = this.isSlow ? PAGE : Math.min(Math.max(fitting, PAGE), LARGE_PAGE);
  }
}
