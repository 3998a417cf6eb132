/** Goes through a text from left to right, each letter once, so that reading costs no more than its length. */
export class TextReader {
  private at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isDone(): boolean {
    return this.at >= this.text.length;
  }

  skipSpace(): void {
    this.take(/\s*/y);
  }

  /** @returns whether the text goes on so; it is passed then */
  eat(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** @param pattern sticky (`y`) @returns what it matched here, which is passed; null for nothing */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }
}

/** A name as clients write it: plain, or in quotes. 63 bytes are what Postgres takes. */
export const NAME = /"[^"\\]{1,63}"|[A-Za-z_][\w$]{0,62}/y;
/** The way into a JSON value behind the name of its column. */
const STEP = /->>?(?:"[^"\\]{1,63}"|\w(?:\w|-(?!>)){0,62})/y;
const MAX_STEPS = 8;

export const plainName = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name);

/** A column, and the way into it. @returns the column's name; null where none stands */
export function takeColumn(reader: TextReader): string | null {
  const name = reader.take(NAME);
  if (name === null) return null;
  for (let steps = 0; steps < MAX_STEPS && reader.take(STEP) !== null; steps += 1);
  return plainName(name);
}
