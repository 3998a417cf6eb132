import { BackendError, type PageHead, type PullAnswer } from './backend.ts';
import type { Cursors } from './cursors.ts';
import { REQUEST_DEADLINE, whileMoving } from './deadline.ts';
import { PageSize } from './page-size.ts';
import { isTable } from './record.ts';
import type { Session } from './session.ts';

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

type Told = { device?: string | undefined; onHead?: (head: PageHead) => void };
export type Ask = (cursors: Cursors, told?: Told) => Promise<PullAnswer>;

/** Asks for pages as large as the line takes. One may take as long as it moves. */
export function asking(session: Session, signal: AbortSignal, onBeat: () => void): Ask {
  const { clock } = session.platform;
  const size = new PageSize();
  return async (cursors, { device = session.device, onHead } = {}) => {
    onBeat();
    const { limit } = size;
    const begun = clock.now();
    const passed = () => Math.abs(clock.now() - begun);
    let head: number | null = null;
    const page = await whileMoving(clock, signal, REQUEST_DEADLINE, (inner, moved) => {
      const onMoved = () => {
        onBeat();
        moved();
      };
      const told = (end: PageHead) => {
        head = passed();
        onHead?.(end);
      };
      return session.backend.pull({ cursors, device, limit, onMoved, onHead: told }, inner);
    });
    size.came(limit, passed(), head);
    return understood(checkPage(page));
  };
}

/** The pages from one on, each asked for as soon as it is known where the one before ends. */
export class PagesAhead {
  readonly first: Promise<PullAnswer>;
  private readonly ask: Ask;
  private readonly coming: Promise<PullAnswer>[] = [];
  /** Where the last page ends that was asked for; null until that is known. */
  private end: PageHead | null = null;
  /** What comes behind a page that failed is not stored. */
  private isBroken = false;

  /** @param device whose the first page is asked for; this one without it */
  constructor(ask: Ask, cursors: Cursors, device?: string) {
    this.ask = ask;
    this.first = this.asked(cursors, device);
  }

  /** The next page; null after the last. Its failure is told here and not before. */
  next(): Promise<PullAnswer> | null {
    const page = this.coming.shift() ?? null;
    this.fill();
    return page;
  }

  private fill(): void {
    if (this.isBroken || !this.end?.more || this.coming.length >= AHEAD) return;
    const { scopes } = this.end;
    this.end = null;
    this.coming.push(this.asked(scopes));
  }

  private asked(cursors: Cursors, device?: string): Promise<PullAnswer> {
    let isTold = false;
    const told = ({ scopes, more }: PageHead) => {
      if (isTold) return;
      isTold = true;
      this.end = { scopes, more };
      this.fill();
    };
    const page = this.ask(cursors, { device, onHead: told });
    page.then(told, () => (this.isBroken = true));
    return page;
  }
}
