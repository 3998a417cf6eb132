/** Forms within forms, and rich text in lists within lists, are a third as deep; what writes JSON out again runs out of stack far beyond. */
const MOST_LEVELS = 64;
/** What ten megabytes of anybody's work hold is a tenth of it; ten megabytes of nothing but brackets take seconds to read. */
const MOST_BRACKETS = 300_000;

const [QUOTE, ESCAPE] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Where the text that begins at `from` ends: its closing quote, or the end of everything. */
function endOfText(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === ESCAPE ? 2 : 1;
  return at;
}

/**
 * Whether brackets stand in brackets further than anybody's data does, or there are more of them. Goes through the bytes once
 * and reads nothing, so that it costs no more than its length whatever was sent; to be asked before JSON is parsed.
 */
export function isBottomless(json: Uint8Array): boolean {
  let [depth, brackets] = [0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (CLOSING.has(byte)) depth -= 1;
    else if (OPENING.has(byte)) {
      [depth, brackets] = [depth + 1, brackets + 1];
      if (depth > MOST_LEVELS || brackets > MOST_BRACKETS) return true;
    }
  }
  return false;
}
