import { unreadable } from './request-fault.ts';
import { takeColumn, TextReader } from './text-reader.ts';

/** What the app and the official client's methods compare with; searches in texts and regular expressions are not offered. */
const OPERATOR = /(?:not\.)?(?:eq|neq|gte?|lte?|i?like|is|in|cs|cd|ov)\./y;
const MAX_CONDITIONS = 100;
const MAX_DEPTH = 16;
/** Letters of one value; three hundred ids in a list are 11,000. */
const MAX_VALUE = 16_384;

const IS_VALUE = /^(null|not_null|true|false|unknown)$/i;

function checkOperand(operator: string, operand: string, whole: string): void {
  const isOdd =
    operand.length > MAX_VALUE ||
    (/\bis\.$/.test(operator) && !IS_VALUE.test(operand)) ||
    (/\bin\.$/.test(operator) && !/^\([^]*\)$/.test(operand));
  if (isOdd) throw unreadable('filter', whole);
}

/** `eq.7`, `not.in.(a,b)`. @throws {RequestFault} PGRST100 */
export function checkFilter(value: string): void {
  const reader = new TextReader(value);
  const operator = reader.take(OPERATOR);
  if (operator === null) throw unreadable('filter', value);
  checkOperand(operator, value.slice(operator.length), value);
}

const QUOTED = /"(?:\\.|[^"\\])*"/sy;
const PLAIN = /[^,()"{}]+/y;

class TreeReader {
  private readonly reader: TextReader;
  private conditions = 0;
  readonly columns = new Set<string>();

  constructor(text: string) {
    this.reader = new TextReader(text);
  }

  fail(): never {
    throw unreadable('logic tree', this.reader.text);
  }

  tree(level: number): void {
    if (level > MAX_DEPTH || !this.reader.eat('(')) this.fail();
    do {
      this.conditions += 1;
      if (this.conditions > MAX_CONDITIONS) this.fail();
      this.reader.skipSpace();
      if (this.reader.take(/(?:not\.)?(?:and|or)\s*(?=\()/y) !== null) this.tree(level + 1);
      else this.condition(level);
      this.reader.skipSpace();
    } while (this.reader.eat(','));
    if (!this.reader.eat(')')) this.fail();
  }

  private condition(level: number): void {
    this.reader.take(/not\./y);
    const column = takeColumn(this.reader);
    const operator = column !== null && this.reader.eat('.') ? this.reader.take(OPERATOR) : null;
    if (column === null || operator === null) return this.fail();
    this.columns.add(column);
    checkOperand(operator, this.operand(level), this.reader.text);
  }

  /** Up to the comma or bracket that ends it; what stands in brackets or braces of its own belongs to it. */
  private operand(level: number): string {
    let read = '';
    for (;;) {
      const token = this.reader.take(QUOTED) ?? this.reader.take(PLAIN) ?? this.inBrackets(level);
      if (token === null) return read;
      read += token;
    }
  }

  private inBrackets(level: number): string | null {
    const open = this.reader.take(/[({]/y);
    if (open === null) return null;
    if (level >= MAX_DEPTH) this.fail();
    let read = open;
    do read += this.operand(level + 1);
    while (this.reader.eat(',') && (read += ','));
    const close = open === '(' ? ')' : '}';
    if (!this.reader.eat(close)) this.fail();
    return read + close;
  }

  get isDone(): boolean {
    return this.reader.isDone;
  }
}

/**
 * Reads `(a.eq.1,or(b.is.null,c.gt.2))`.
 *
 * @returns the columns it compares @throws {RequestFault} PGRST100 where it is none, stands more than 16 levels deep or has more than 100 conditions
 */
export function columnsInTree(tree: string): Set<string> {
  const reader = new TreeReader(tree);
  reader.tree(1);
  if (!reader.isDone) reader.fail();
  return reader.columns;
}
