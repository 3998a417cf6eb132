import type { PullAnswer } from './backend.ts';
import { BackendError } from './backend.ts';
import type { Cursors } from './cursors.ts';
import { REQUEST_DEADLINE, withDeadline } from './deadline.ts';
import { isTable } from './record.ts';
import type { Session } from './session.ts';

/** Changes asked for first, and where answers are slow. */
const PAGE = 1000;
/** Changes asked for after an answer that came quickly: each request waits for the one before. */
const LARGE_PAGE = 5000;
/** ms; a large page must come within the deadline. */
const QUICK = 4000;

/** @throws {BackendError} `network` when what came is no answer of ours (a captive portal's page) */
function checkPage(page: PullAnswer): PullAnswer {
  const whole = page && typeof page.scopes === 'object' && Array.isArray(page.order) && typeof page.more === 'boolean';
  if (!whole) throw new BackendError('network', 'pull: the answer is no page');
  return page;
}

/** Newer servers may send tables this app does not know yet: they are left out, and come with the app's update. */
function understood(page: PullAnswer): PullAnswer {
  const only = <A>(tables: Record<string, A>) =>
    Object.fromEntries(Object.entries(tables).filter(([name]) => isTable(name)));
  return {
    ...page,
    rows: only(page.rows),
    stubs: only(page.stubs),
    gone: page.gone.filter(([, table]) => isTable(table)),
  };
}

/** How many answers may lie here before they are stored: the server and this device's disk need not wait for each other. */
const AHEAD = 2;

export type Ask = (cursors: Cursors, device?: string) => Promise<PullAnswer>;

/** Asks for pages, larger ones after one that came quickly. */
export function asking(session: Session, signal: AbortSignal, onBeat: () => void): Ask {
  const { clock } = session.platform;
  let limit = PAGE;
  return async (cursors, device = session.device) => {
    onBeat();
    const begun = clock.now();
    const page = await withDeadline(clock, signal, REQUEST_DEADLINE, inner =>
      session.backend.pull({ cursors, device, limit }, inner),
    );
    limit = Math.abs(clock.now() - begun) < QUICK ? LARGE_PAGE : PAGE;
    return understood(checkPage(page));
  };
}

/** The pages from one on, each asked for with the cursors of the one before, as soon as that has come. */
export class PagesAhead {
  private readonly ask: Ask;
  private readonly coming: Promise<PullAnswer>[] = [];
  private last: PullAnswer | null = null;

  constructor(ask: Ask, first: PullAnswer) {
    this.ask = ask;
    this.last = first;
    this.fill();
  }

  /** The next page; null after the last. Its failure is told here and not before. */
  next(): Promise<PullAnswer> | null {
    return this.coming.shift() ?? null;
  }

  /** Called whenever an answer came or one was taken. */
  fill(): void {
    if (!this.last?.more || this.coming.length >= AHEAD) return;
    const page = this.ask(this.last.scopes);
    this.last = null;
    this.coming.push(page);
    page.then(
      answer => {
        this.last = answer;
        this.fill();
      },
      () => undefined,
    );
  }
}
