import { unreadable } from './request-fault.ts';
import { NAME, plainName, takeColumn, TextReader } from './text-reader.ts';

const MAX_ITEMS = 200;
/** Embedded tables stand two levels deep (`embedding.ts`); reading stops well before the stack does. */
const MAX_DEPTH = 4;
const CAST = /::[A-Za-z_]\w{0,62}/y;

class SelectReader {
  private readonly reader: TextReader;
  private items = 0;
  /** What the embedded tables of the list are known by further on in the query. */
  readonly embedded = new Set<string>();

  constructor(text: string) {
    this.reader = new TextReader(text);
  }

  fail(): never {
    throw unreadable('select parameter', this.reader.text);
  }

  list(level: number): void {
    this.reader.skipSpace();
    if (level > MAX_DEPTH) this.fail();
    if (this.reader.take(/(?=\))/y) !== null || this.reader.isDone) return;
    const columns = new Set<string>();
    do {
      this.items += 1;
      if (this.items > MAX_ITEMS) this.fail();
      this.reader.skipSpace();
      this.item(level, columns);
      this.reader.skipSpace();
    } while (this.reader.eat(','));
  }

  /** @param columns of this list so far: under many names one large value would be fetched, parsed and written as often */
  private item(level: number, columns: Set<string>): void {
    if (this.reader.eat('*')) return this.once('*', columns);
    const isSpread = this.reader.eat('...');
    const first = this.nameOrColumn();
    const isAlias = this.reader.take(/\s*:(?!:)\s*/y) !== null;
    const name = isAlias ? this.nameOrColumn() : first;
    for (let hints = 0; hints < 2 && this.reader.eat('!'); hints += 1) if (this.reader.take(NAME) === null) this.fail();
    if (this.reader.eat('(')) {
      // A sum, which the API does not offer.
      if (name === 'count') this.fail();
      this.embedded.add(first).add(name);
      this.list(level + 1);
      if (!this.reader.eat(')')) this.fail();
    } else if (isSpread) this.fail();
    else {
      this.once(name, columns);
      this.reader.take(CAST);
    }
  }

  private once(column: string, columns: Set<string>): void {
    if (columns.has(column)) this.fail();
    columns.add(column);
  }

  private nameOrColumn(): string {
    return takeColumn(this.reader) ?? this.fail();
  }

  get isDone(): boolean {
    return this.reader.isDone;
  }
}

/**
 * Reads `select`: columns, each once, ways into JSON, aliases, casts, embedded tables; no sums.
 *
 * @returns the names of the embedded tables @throws {RequestFault} PGRST100
 */
export function embeddedIn(select: string): Set<string> {
  const reader = new SelectReader(select);
  reader.list(0);
  if (!reader.isDone) reader.fail();
  return reader.embedded;
}

const MAX_ORDER = 16;
const ENDING = /(?:\.(?:asc|desc))?(?:\.(?:nullsfirst|nullslast))?/y;

/** @throws {RequestFault} PGRST100 where `order` is not a list of columns with their directions */
export function checkOrder(order: string): void {
  const reader = new TextReader(order);
  for (let items = 1; ; items += 1) {
    reader.skipSpace();
    const isRead =
      takeColumn(reader) !== null && (!reader.eat('(') || (takeColumn(reader) !== null && reader.eat(')')));
    reader.take(ENDING);
    reader.skipSpace();
    if (!isRead || items > MAX_ORDER) throw unreadable('order', order);
    if (reader.isDone) return;
    if (!reader.eat(',')) throw unreadable('order', order);
  }
}

/** Names separated by commas. @throws {RequestFault} PGRST100 */
export function namesIn(what: string, list: string): string[] {
  const reader = new TextReader(list);
  const names: string[] = [];
  do {
    reader.skipSpace();
    const name = reader.take(NAME);
    if (name === null || names.length >= MAX_ITEMS) throw unreadable(`${what} parameter`, list);
    names.push(plainName(name));
    reader.skipSpace();
  } while (reader.eat(','));
  if (!reader.isDone) throw unreadable(`${what} parameter`, list);
  return names;
}
