import { BackendError, type PageHead, type Page, type PullRequest } from '../transport/backend.ts';
import type { Cursors } from '../store/cursors.ts';
import { REQUEST_DEADLINE, whileMoving, withDeadline } from '../transport/deadline.ts';
import { PageSize } from './page-size.ts';
import { isTable } from '../store/record.ts';
import type { Session } from '../store/session.ts';

/** @throws {BackendError} `network` when what came is no answer of ours (a captive portal's page) */
function checkPage(page: Page): Page {
  const whole = page && typeof page.scopes === 'object' && Array.isArray(page.order) && typeof page.more === 'boolean';
  if (!whole) throw new BackendError('network', 'pull: the answer is no page');
  return page;
}

/** Newer servers may send tables this app does not know yet: they are left out, and come with the app's update. */
function understood(page: Page): Page {
  const only = <A>(tables: Record<string, A>) =>
    Object.fromEntries(Object.entries(tables).filter(([name]) => isTable(name)));
  return {
    ...page,
    rows: only(page.rows),
    stubs: only(page.stubs),
    gone: page.gone.filter(([, table]) => isTable(table)),
  };
}

/** How many pages may wait behind the one that is being stored: the server and this device's disk need not wait for each other. */
const AHEAD = 2;
/** Pages that share the line: two keep it full, and more would only make each of them late. */
const AT_ONCE = 2;
/** Longest a page may take, ms; 120 bytes a second bring a small one. */
const MAX_PAGE_MS = 300_000;

type PageOptions = { signal: AbortSignal; device?: string | undefined; onHead?: (head: PageHead) => void };
export type PageFetch = (cursors: Cursors, told: PageOptions) => Promise<Page>;

/**
 * Asks for pages as large as the line takes. One may take long as long as anything moves.
 *
 * @param isBreaking whether the pull before broke off
 */
export function asking(
  session: Pick<Session, 'platform' | 'backend' | 'device'>,
  onHeartbeat: () => void,
  isBreaking: boolean,
): PageFetch {
  const { clock } = session.platform;
  const size = new PageSize(isBreaking);
  // They share the line: what comes of one is a sign of life of all.
  const waiting = new Set<() => void>();
  const onMoved = () => {
    onHeartbeat();
    for (const moved of waiting) moved();
  };
  const moving = (request: Omit<PullRequest, 'onMoved'>, outer: AbortSignal) =>
    whileMoving(clock, outer, REQUEST_DEADLINE, async (inner, moved) => {
      waiting.add(moved);
      try {
        return await session.backend.pull({ ...request, onMoved }, inner);
      } finally {
        waiting.delete(moved);
      }
    });
  const once = async (limit: number, cursors: Cursors, { signal, device = session.device, onHead }: PageOptions) => {
    onHeartbeat();
    const begun = clock.now();
    const passed = () => Math.abs(clock.now() - begun);
    let head: number | null = null;
    const told = (end: PageHead) => {
      head = passed();
      // Where pages come slowly, each has the line for itself.
      if (!size.isSlow) onHead?.(end);
    };
    const page = await withDeadline(clock, signal, MAX_PAGE_MS, inner =>
      moving({ cursors, device, limit, onHead: told }, inner),
    );
    size.came(limit, passed(), head);
    return understood(checkPage(page));
  };
  return inSmallerPages(size, once);
}

type OnePage = (limit: number, ...asked: Parameters<PageFetch>) => Promise<Page>;

/** What is too large now is too large each time: it comes in smaller pages, or nothing ever comes again. */
function inSmallerPages(size: PageSize, once: OnePage): PageFetch {
  return async (...asked) => {
    for (;;) {
      const { limit } = size;
      try {
        return await once(limit, ...asked);
      } catch (error) {
        const isTooLarge = error instanceof BackendError && error.kind === 'too_large';
        if (!isTooLarge || !size.tooLarge(limit)) throw error;
      }
    }
  };
}

/** One row of pages, each asked for as soon as it is known where the one before ends. */
class Run {
  private readonly ask: PageFetch;
  private readonly controller = new AbortController();
  private readonly coming: Promise<Page>[] = [];
  private underWay = 0;
  /** Where the last page ends that was asked for; null until that is known. */
  private end: PageHead | null = null;
  /** What comes behind a page that failed is not stored. */
  private isBroken = false;

  constructor(ask: PageFetch) {
    this.ask = ask;
  }

  next(): Promise<Page> | null {
    const page = this.coming.shift() ?? null;
    this.fill();
    return page;
  }

  close(reason: unknown): void {
    this.isBroken = true;
    this.controller.abort(reason);
  }

  asked(cursors: Cursors, device?: string): Promise<Page> {
    let isTold = false;
    const told = ({ scopes, more }: PageHead) => {
      if (isTold) return;
      isTold = true;
      this.end = { scopes, more };
      this.fill();
    };
    this.underWay += 1;
    const page = this.ask(cursors, { signal: this.controller.signal, device, onHead: told });
    page
      .then(told, () => {
        this.isBroken = true;
      })
      .finally(() => {
        this.underWay -= 1;
        this.fill();
      });
    return page;
  }

  private fill(): void {
    const isFull = this.coming.length >= AHEAD || this.underWay >= AT_ONCE;
    if (this.isBroken || isFull || !this.end?.more) return;
    const { scopes } = this.end;
    this.end = null;
    this.coming.push(this.asked(scopes));
  }
}

/** The pages of a pull, on their way while the present one is being stored. */
export class PagesAhead {
  private readonly ask: PageFetch;
  private readonly ends = new Map<AbortSignal, () => void>();
  private run: Run | null = null;
  /** The page behind no cursors, asked for before anybody wanted it. */
  private first: Promise<Page> | null = null;

  /** @param outer ends all of them */
  constructor(ask: PageFetch, outer: AbortSignal) {
    this.ask = ask;
    this.heed(outer);
  }

  /** @param signal ends all of them as well */
  heed(signal: AbortSignal): void {
    const onAbort = () => this.run?.close(signal.reason);
    this.ends.set(signal, onAbort);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  }

  /** Asks for the very first page, which `from` hands out to whoever has no cursors. */
  begin(): Promise<Page> {
    this.first = this.from({});
    return this.first;
  }

  /** The page behind these cursors; what else was on its way is not wanted any more. @param device whose it is asked for */
  from(cursors: Cursors, device?: string): Promise<Page> {
    const { first } = this;
    this.first = null;
    if (first && Object.keys(cursors).length === 0) return first;
    this.run?.close(new Error('asked for anew'));
    this.run = new Run(this.ask);
    for (const [signal, onAbort] of this.ends) if (signal.aborted) onAbort();
    return this.run.asked(cursors, device);
  }

  /** The next page; null after the last. Its failure is told here and not before. */
  next(): Promise<Page> | null {
    return this.run?.next() ?? null;
  }

  /** Nothing is on its way after it. */
  close(): void {
    for (const [signal, onAbort] of this.ends) signal.removeEventListener('abort', onAbort);
    this.run?.close(new Error('the pull is over'));
  }
}
