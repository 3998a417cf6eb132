import { newId } from '@cairn/base/id.ts';
import { columns, type TableName } from '@cairn/schema';
import { UNPLACED } from '../push/acknowledge.ts';
import { BackendError, type Cursor, type Page } from '../transport/backend.ts';
import { CONFLICTS, PHASE, QUEUE } from '../store/changes.ts';
import { CURSORS, cursorsOf, type Cursors } from '../store/cursors.ts';
import { DIGEST_DUE, noteFault, PULLED, type PullState } from '../store/health.ts';
import { RECORD_STORES, type AnyStore } from '../store/database-schema.ts';
import type { FirstPages } from './first-pages.ts';
import type { DatabaseTx } from '../store/database.ts';
import { lostByServer, requeue, resendFiles } from '../push/journal.ts';
import {
  UnpackRequired,
  BulkLoad,
  unpackBlocks,
  remember,
  type PulledByTable,
  type PageContext,
} from '../store/bulk-load.ts';
import { countOf, idsOf, inSlices } from '../transport/packed-rows.ts';
import { MissingRowsError, storeRows, storeStubs } from './page.ts';
import { asking, PagesAhead } from './pages-ahead.ts';
import { leaveOrganizations, organizationsLeft } from '../access/membership-end.ts';
import { LAST } from '../store/read-tx.ts';
import { keyAt } from '../store/record-key.ts';
import { isTable, sameJson, storeOf } from '../store/record.ts';
import { applyGone, dropScopes, FORGOTTEN, dropStale, leaveUnplaced, markStale } from '../access/scopes.ts';
import { bringsRights, retryRefused } from '../access/rights-return.ts';
import { fenced, type Session } from '../store/session.ts';
import type { QueuedEntry } from '../store/stored.ts';

/** Rows stored at once, so that a save in between waits little. */
const PORTION = 1000;
const STALE_SCOPES = 'stale_scopes';

const knownTables = (page: Page): TableName[] =>
  [...Object.keys(page.rows), ...Object.keys(page.stubs), ...page.gone.map(([, table]) => table)].filter(isTable);

/** Records this device sent or took out of a file that no scope names: they are, or went, where this person may not look. */
async function dropUnplaced(tx: DatabaseTx, owner: string): Promise<void> {
  const meta = tx.objectStore('meta');
  const range = IDBKeyRange.bound([owner, UNPLACED], [owner, UNPLACED + LAST]);
  for (const { value } of await meta.getAll(range)) {
    for (const [table, id] of value as [TableName, string][]) {
      const record = await tx.objectStore(storeOf(table)).get(keyAt(owner, table, id));
      if (record && record.scopes.length === 0) await leaveUnplaced(tx, record);
    }
  }
  await meta.delete(range);
}

/** Whether the end of this pull has something to look for in every store. */
async function sweepNeeded({ db, owner }: Session): Promise<boolean> {
  const meta = (await db.transaction(['meta'], 'readonly')).objectStore('meta');
  const unplaced = await meta.count(IDBKeyRange.bound([owner, UNPLACED], [owner, UNPLACED + LAST]));
  return unplaced > 0 || (await meta.count([owner, STALE_SCOPES])) > 0;
}

/** What the end of a pull lets go of: what a new reading did not bring again, and what stands nowhere. */
async function sweepUp(tx: DatabaseTx, owner: string, now: number): Promise<void> {
  const meta = tx.objectStore('meta');
  await dropStale(tx, owner);
  if ((await meta.count([owner, STALE_SCOPES])) > 0) await resendFiles(tx, owner, now);
  await meta.delete([owner, STALE_SCOPES]);
  await dropUnplaced(tx, owner);
}

/** SQLSTATE data exceptions and PostgREST's word for a body that is none. */
const UNREADABLE = /^(22|PGRST102)/;
/** Of no epoch: its scope is read from the start, what does not come again is dropped. */
const NO_CURSOR: Cursor = ['', 0, '', ''];

/** Asks for everything anew without forgetting which scopes the device holds: one that is no more must be let go. */
const fromTheStart = (cursors: Cursors): Cursors =>
  Object.fromEntries(Object.keys(cursors).map(scope => [scope, NO_CURSOR]));

/**
 * What is known before a page is stored: the cursors the device had, what this pull has brought and what of it has landed, the
 * acknowledged edits the server has lost; and what ends this pull: a run that was taken for stuck goes on when its phone wakes up.
 */
type PullContext = {
  before: Cursors;
  emptyTables: PulledByTable;
  bulkLoad: BulkLoad;
  forgotten: readonly QueuedEntry[];
  signal: AbortSignal;
};

type Rows = Page['rows'];

/** Every `PORTION` rows, table by table. */
function portions(rows: Rows): Rows[] {
  return Object.entries(rows).flatMap(([table, some]) =>
    inSlices(some, PORTION).map((part): Rows => ({ [table]: part })),
  );
}

/**
 * Most rows of a large page ahead of its cursors, in transactions as short as ever. What is stored twice because the app
 * died in between changes nothing. Only where every scope is known already: else nothing would tell, after such a death,
 * that a scope was taken away again.
 *
 * @returns the page with what is still to be stored
 */
async function storeMostRows(session: Session, page: Page, known: PullContext): Promise<Page> {
  const { before, emptyTables, bulkLoad, signal } = known;
  const isLarge = Object.values(page.rows).reduce((sum, some) => sum + countOf(some), 0) > PORTION;
  const isKnown = page.resets.length === 0 && page.order.every(scope => scope in before);
  const isWhole = Object.keys(before).every(scope => scope in page.scopes);
  const parts = isLarge && isKnown && isWhole ? portions(page.rows) : [];
  const now = session.platform.clock.now();
  for (const rows of parts.slice(0, -1)) {
    const tables = Object.keys(rows) as TableName[];
    const noted: PageContext['noted'] = [];
    await fenced(session, { stores: [...tables.map(storeOf), 'sync_queue'] }, async tx => {
      signal.throwIfAborted();
      await storeRows({ tx, owner: session.owner, now, emptyTables, noted, bulkLoad }, { rows, order: page.order });
    });
    remember(emptyTables, noted);
    session.changes.emit(tables);
  }
  return parts.length > 1 ? { ...page, rows: parts.at(-1) ?? {} } : page;
}

/**
 * Where rows of the page may land: only those of a page that takes nothing away.
 *
 * @throws {UnpackRequired} when it does, and rows have landed
 */
function bulkLoadFor({ gone }: Page, { bulkLoad }: PullContext, isSweeping: boolean): BulkLoad | null {
  if (!isSweeping && gone.length === 0) return bulkLoad;
  if (bulkLoad.hasBlocks) throw new UnpackRequired('the page takes away');
  return null;
}

type ScopeLoss = { lost: ReadonlySet<string>; before: Cursors; page: Page };

/** What a restored server says of a membership may be news of the backup: work for it waits for the membership to come back. */
async function loseScopes(tx: DatabaseTx, owner: string, { lost, before, page }: ScopeLoss): Promise<void> {
  if (lost.size === 0) return;
  const isRestored = page.resets.length > 0;
  if (!isRestored) await leaveOrganizations({ tx, owner, left: organizationsLeft(before, page.scopes), lost });
  await dropScopes(tx, owner, lost, isRestored ? FORGOTTEN : undefined);
}

/**
 * Rows and cursors of one page in one transaction: a kill between the two cannot skip a row.
 *
 * @param isOfRights whether the page, all of it, may have brought a right
 */
async function storePage(session: Session, page: Page, known: PullContext, isOfRights: boolean): Promise<void> {
  const { before, emptyTables, forgotten } = known;
  const { owner } = session;
  const now = session.platform.clock.now();
  const lost = new Set(Object.keys(before).filter(scope => !(scope in page.scopes)));
  const sweep = !page.more && (await sweepNeeded(session));
  let released = false;
  const any = lost.size > 0 || page.resets.length > 0 || sweep;
  const bulkLoad = bulkLoadFor(page, known, any);
  const stores: AnyStore[] = any ? [...RECORD_STORES] : knownTables(page).map(storeOf);
  const noted: PageContext['noted'] = [];
  await fenced(session, { stores: [...stores, 'media', 'sync_queue', 'conflicts'] }, async tx => {
    known.signal.throwIfAborted();
    const meta = tx.objectStore('meta');
    if (page.resets.length > 0) {
      await markStale(tx, owner, new Set(page.resets));
      // Before anything goes: who joined since the backup belongs there no more, and only this device has what they sent.
      await requeue(tx, owner, forgotten);
      await meta.put({ owner, name: STALE_SCOPES, value: true });
      await meta.put({ owner, name: DIGEST_DUE, value: true });
    }
    await loseScopes(tx, owner, { lost, before, page });
    // What goes may come again.
    if (any || page.gone.length > 0) emptyTables.clear();
    const place = { tx, owner, now, emptyTables, noted, bulkLoad };
    await storeRows(place, page);
    await storeStubs(place, page);
    await applyGone(tx, owner, page);
    if (isOfRights) released = await retryRefused(tx, owner, page.scopes);
    await meta.put({ owner, name: CURSORS, value: page.scopes });
    if (page.more) return;
    if (sweep || page.resets.length > 0) await sweepUp(tx, owner, now);
    await meta.put({ owner, name: PULLED, value: { lastPullAt: now } satisfies PullState });
  });
  remember(emptyTables, noted);
  tellOf(session, page, any);
  if (page.gone.length > 0 || released) session.changes.emit([QUEUE, CONFLICTS]);
}

/** Tells who reads what has changed. @param isSweeping a scope went or was read anew: every table may have lost rows */
function tellOf({ changes }: Session, page: Page, isSweeping: boolean): void {
  // Stubs bring no new content.
  const changed = changedBy(page);
  if (isSweeping) changes.emit([...Object.keys(columns), QUEUE, CONFLICTS, PHASE]);
  else changes.emit([...changed.keys(), PHASE], changed);
}

/** Ids of what a page brings and takes away, by table. */
function changedBy({ rows, gone }: Page): Map<string, Set<string>> {
  const found = new Map(Object.entries(rows).map(([table, some]) => [table, new Set(idsOf(some))]));
  for (const [, table, id] of gone) found.set(table, (found.get(table) ?? new Set()).add(id));
  return found;
}

/** Stores a page; where that touches rows that landed, those are laid down one by one before it. */
async function storeWhole(
  session: Session,
  page: Page,
  known: PullContext,
  unpack: () => Promise<void>,
): Promise<void> {
  const isOfRights = bringsRights(page, known.before);
  const attempt = async () => storePage(session, await storeMostRows(session, page, known), known, isOfRights);
  await attempt().catch(async (error: unknown) => {
    if (!(error instanceof UnpackRequired)) throw error;
    await unpack();
    await attempt();
  });
}

/** `before`: the cursors it begins with; `unpack`: stores the rows of the bulk load one by one, after which none are kept packed any more. */
type PullRun = { before: Cursors; pages: PagesAhead; bulkLoad: BulkLoad; unpack: () => Promise<void> };

/** Stores page after page. @returns the cursors of the last */
async function storeAll(session: Session, signal: AbortSignal, pulling: PullRun): Promise<Cursors> {
  const { pages, bulkLoad, unpack } = pulling;
  const emptyTables: PulledByTable = new Map();
  let cursors = pulling.before;
  let page = await pages.from(cursors).catch((error: unknown) => {
    // Cursors no server can read would keep this device from ever pulling again.
    if (!(error instanceof BackendError) || !UNREADABLE.test(error.code ?? '')) throw error;
    return pages.from(fromTheStart(cursors));
  });
  let asked: 'as_usual' | 'whole_rows' | 'from_start' = 'as_usual';
  for (;;) {
    signal.throwIfAborted();
    try {
      const forgotten = page.resets.length > 0 ? await lostByServer(session, signal) : [];
      await storeWhole(session, page, { before: cursors, emptyTables, bulkLoad, forgotten, signal }, unpack);
      if (forgotten.length > 0) await noteFault(session, 'server_restored', forgotten.length);
    } catch (error) {
      if (!(error instanceof MissingRowsError)) throw error;
      if (asked === 'from_start') throw error;
      // What is asked for again may be later than what landed, and nothing would tell them apart once `fresh` is gone.
      if (bulkLoad.hasBlocks) await unpack();
      emptyTables.clear();
      // Asked as a device that wrote nothing, the server sends whole rows; failing that, everything from the start.
      asked = asked === 'as_usual' ? 'whole_rows' : 'from_start';
      page = await pages.from(asked === 'whole_rows' ? cursors : fromTheStart(cursors), newId());
      continue;
    }
    cursors = page.scopes;
    const next = pages.next();
    if (!next) return cursors;
    page = await next;
  }
}

/** What a pull came to: the person's scopes, whether anything is new in them, and whether it took an organisation away. */
export type PullEnd = { scopes: string[]; isNews: boolean; hasLeft: boolean };

/** `isBreaking`: whether the pull before broke off, so that this one asks for less at a time; `first`: what was asked for ahead. */
export type PullBegin = { isBreaking?: boolean; first?: FirstPages | null };

/**
 * Pulls until the device has everything; the next pages are on their way while the present one is being stored.
 *
 * @param onHeartbeat called before each request and whenever something of an answer came, for the watchdog
 * @throws {BackendError} when a call got no answer; what was stored stays
 */
export async function pullAll(
  session: Session,
  signal: AbortSignal,
  onHeartbeat: () => void,
  { isBreaking = false, first = null }: PullBegin = {},
): Promise<PullEnd> {
  const bulkLoad = new BulkLoad(session.platform.bulkLoad);
  const unpack = async () => {
    await unpackBlocks(session, signal, onHeartbeat);
    bulkLoad.close();
  };
  const pages = first?.within(signal, onHeartbeat) ?? new PagesAhead(asking(session, onHeartbeat, isBreaking), signal);
  try {
    // What landed before the app died.
    await unpackBlocks(session, signal, onHeartbeat);
    const before = await cursorsOf(session);
    const cursors = await storeAll(session, signal, { before, pages, bulkLoad, unpack });
    if (bulkLoad.hasBlocks) await unpack();
    const hasLeft = organizationsLeft(before, cursors).size > 0;
    return { scopes: Object.keys(cursors), isNews: !sameJson(before, cursors), hasLeft };
  } finally {
    pages.close();
  }
}
