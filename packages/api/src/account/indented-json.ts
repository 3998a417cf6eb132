const [QUOTE, ESCAPE, COMMA, COLON, NEWLINE, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a, 0x20];
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const BLANK: ReadonlySet<number> = new Set([SPACE, NEWLINE, 0x09, 0x0d]);

/** What lies deeper stays on one line: deep JSON would grow without end. A row of a table begins at the third, its fields at the fourth. */
const MAX_DEPTH = 4;
/** Bytes that one byte becomes at most. */
const GROWTH = 2 + 2 * MAX_DEPTH;

/** Writes JSON as people read it, each member on a line of its own, as it comes: piece by piece, wherever these end. */
export class IndentedJson {
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  /** A bracket was opened and nothing is in it yet. */
  private isEmpty = false;
  private out = new Uint8Array();
  private length = 0;

  /** @param json UTF-8; what all pieces are together is taken for JSON */
  write(json: Uint8Array): Uint8Array<ArrayBuffer> {
    this.out = new Uint8Array(json.byteLength * GROWTH);
    this.length = 0;
    for (const byte of json) {
      if (this.isText) this.inText(byte);
      else if (!BLANK.has(byte)) this.between(byte);
    }
    return this.out.slice(0, this.length);
  }

  private put(byte: number): void {
    this.out[this.length] = byte;
    this.length += 1;
  }

  /** @param depth of what comes on it */
  private newLine(depth: number): void {
    this.put(NEWLINE);
    for (let n = 0; n < depth; n += 1) {
      this.put(SPACE);
      this.put(SPACE);
    }
  }

  private inText(byte: number): void {
    this.put(byte);
    if (!this.isEscaped && byte === QUOTE) this.isText = false;
    this.isEscaped = !this.isEscaped && byte === ESCAPE;
  }

  private between(byte: number): void {
    const isClosing = CLOSE.has(byte);
    if (isClosing) this.depth -= 1;
    // Whether what stands in the bracket that is closed, or was just opened, has lines of its own.
    const hasLines = isClosing ? !this.isEmpty && this.depth < MAX_DEPTH : this.isEmpty && this.depth <= MAX_DEPTH;
    if (hasLines) this.newLine(this.depth);
    this.isEmpty = OPEN.has(byte);
    this.put(byte);
    if (this.isEmpty) this.depth += 1;
    else if (byte === QUOTE) this.isText = true;
    else if (byte === COLON) this.put(SPACE);
    else if (byte === COMMA && this.depth <= MAX_DEPTH) this.newLine(this.depth);
  }
}
