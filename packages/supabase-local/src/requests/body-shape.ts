const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** A row of the largest table has 60; a function takes 20. */
const MAX_MEMBERS = 200;
const MAX_ROWS = 1000;
/** Of all levels. Ten megabytes of numbers are five million. */
const MAX_VALUES = 300_000;
/** Bytes of all texts that are members' values themselves: given where an array is meant, the driver reads them letter by letter. */
const MAX_TEXT = 1024 * 1024;
/** Bytes of a member's name, with its escapes. */
const MAX_NAME_LENGTH = 400;

/** What is wrong with it; null for an object or an array of objects. */
export type BodyShape = { names: Set<string>; isArray: boolean } | { fault: 'root' | 'size' };

class ShapeReader {
  private at = 0;
  private depth = 0;
  private rows = 0;
  private members = 0;
  private values = 0;
  private texts = 0;
  /** At this depth stand the names of members. */
  private rowDepth = 1;
  private isArray = false;
  private readonly names = new Set<string>();
  private readonly json: Uint8Array;
  private readonly maxValues: number;

  constructor(json: Uint8Array, maxValues: number) {
    this.json = json;
    this.maxValues = maxValues;
  }

  read(): BodyShape {
    this.skipSpace();
    const root = this.json[this.at];
    if (root !== OPEN_OBJECT && root !== OPEN_ARRAY) return { fault: 'root' };
    this.isArray = root === OPEN_ARRAY;
    this.rowDepth = this.isArray ? 2 : 1;
    for (; this.at < this.json.length; this.at += 1) {
      const fault = this.step(this.json[this.at] ?? 0);
      if (fault !== null) return { fault };
      if (this.depth === 0 && !isSpace(this.json[this.at])) {
        this.at += 1;
        this.skipSpace();
        return this.at < this.json.length ? { fault: 'root' } : { names: this.names, isArray: this.isArray };
      }
    }
    return { fault: 'root' };
  }

  private step(byte: number): 'root' | 'size' | null {
    if (isSpace(byte)) return null;
    // Between the brackets of an array of rows stand rows and commas.
    if (this.isArray && this.depth === 1 && ![OPEN_OBJECT, COMMA, CLOSE_ARRAY].includes(byte)) return 'root';
    if (byte === QUOTE) return this.text();
    if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.depth -= 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      this.depth += 1;
      this.values += 1;
      if (this.depth === this.rowDepth) [this.rows, this.members] = [this.rows + 1, 0];
    } else if (byte === COMMA) this.values += 1;
    return this.rows > MAX_ROWS || this.values > this.maxValues ? 'size' : null;
  }

  /** Passes a text; at the depth of rows one with a colon behind it is a member's name. */
  private text(): 'root' | 'size' | null {
    const from = this.at;
    for (this.at += 1; this.at < this.json.length && this.json[this.at] !== QUOTE; this.at += 1)
      if (this.json[this.at] === ESCAPE) this.at += 1;
    if (this.depth !== this.rowDepth) return null;
    let after = this.at + 1;
    while (isSpace(this.json[after])) after += 1;
    if (this.json[after] !== COLON) {
      this.texts += this.at - from;
      return this.texts > MAX_TEXT ? 'size' : null;
    }
    this.members += 1;
    if (this.members > MAX_MEMBERS || this.at - from > MAX_NAME_LENGTH) return 'size';
    const name = nameIn(this.json.subarray(from, this.at + 1));
    if (name === null) return 'root';
    this.names.add(name);
    return this.names.size > MAX_MEMBERS ? 'size' : null;
  }

  private skipSpace(): void {
    while (isSpace(this.json[this.at])) this.at += 1;
  }
}

function nameIn(quoted: Uint8Array): string | null {
  try {
    return String(JSON.parse(new TextDecoder().decode(quoted)));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * What a body is, before anything parses it: an object, or an array of objects, with so many rows, members and values at most. Goes
 * through the bytes once; whether it is JSON in all else whoever parses it says.
 */
export const shapeOf = (json: Uint8Array, maxValues = MAX_VALUES): BodyShape => new ShapeReader(json, maxValues).read();
