/** Letters after the mark: 48 bits. */
const LENGTH = 8;
/** Sorts before whatever the strings of earlier builds began with: letters, digits, `-`, `_` or `|`. */
const MARK = '!';
const AFTER_MARK = '"';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 32 bits of a text: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), then MurmurHash3's finaliser. */
function hash(text: string, seed: number): number {
  let bits = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

function inAlphabet(text: string): string {
  const words = [hash(text, 0), hash(text, 0x9e3779b9)] as const;
  let chars = MARK;
  for (let at = 0; at < LENGTH; at += 1) {
    const word = at * 2 < LENGTH ? words[0] : words[1];
    chars += ALPHABET[(word >>> ((at % 4) * 6)) & 63];
  }
  return chars;
}

/** The starts this session has used. */
const known = new Map<string, string>();

/**
 * The start of every index string of one person, table and key: a mark and 8 letters that follow from the three. IndexedDB writes
 * an index string some four times with each save of its record, two bytes a letter; owner, table and key in full were half of what
 * a save wrote (decision 04).
 */
export function stringStart(owner: string, table: string, key: string): string {
  const name = `${owner}|${table}|${key}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const start = inAlphabet(name);
  known.set(name, start);
  return start;
}

/** Index strings of earlier builds, which began with owner, table and key as they are. */
export const olderStrings = (): IDBKeyRange => IDBKeyRange.lowerBound(AFTER_MARK);
