/**
 * The hash of one row at one version, as the server computes it with `uuid_hash_extended(id, version)`: Bob Jenkins'
 * lookup3 as PostgreSQL has it (src/common/hashfn.c), for the 16 bytes of a UUID and the version as seed.
 */

/** A 64-bit number in two halves. */
type Hash = { high: number; low: number };

/** lookup3's start for a key of 16 bytes. */
const START = (0x9e3779b9 + 16 + 3923095) | 0;

const turned = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** `mix`: how far a is turned by c, b by a, c by b, a by c, … */
const MIX = [4, 6, 8, 16, 19, 4] as const;
const FINAL = [14, 11, 25, 16, 4, 14, 24] as const;

function mix(words: [number, number, number]): void {
  let [a, b, c] = words;
  for (const by of MIX) {
    a = ((a - c) ^ turned(c, by)) | 0;
    c = (c + b) | 0;
    [a, b, c] = [b, c, a];
  }
  words[0] = a;
  words[1] = b;
  words[2] = c;
}

/** @returns the last two words, as the hash has them */
function final(words: readonly [number, number, number]): Hash {
  let [a, b, c] = words;
  for (const by of FINAL) {
    c = ((c ^ b) - turned(b, by)) | 0;
    [a, b, c] = [b, c, a];
  }
  return { high: a, low: b };
}

/** The four little-endian words of a UUID. */
function wordsOf(id: string): [number, number, number, number] {
  const digits = id.replaceAll('-', '');
  const word = (at: number) => {
    const big = Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16);
    return ((big & 0xff) << 24) | ((big & 0xff00) << 8) | ((big >>> 8) & 0xff00) | (big >>> 24);
  };
  return [word(0), word(1), word(2), word(3)];
}

export function rowHash(id: string, version: number): Hash {
  const words: [number, number, number] = [START, START, START];
  if (version !== 0) {
    words[0] += Math.floor(version / 2 ** 32);
    words[1] += version | 0;
    mix(words);
  }
  const [first, second, third, fourth] = wordsOf(id);
  words[0] += first;
  words[1] += second;
  words[2] += third;
  mix(words);
  words[0] += fourth;
  return final(words);
}

/** What some rows come to: how many they are, and the exclusive or of their hashes. No order, no clock. */
export type Sum = Hash & { n: number };

export const emptySum = (): Sum => ({ n: 0, high: 0, low: 0 });

export function addRow(sum: Sum, id: string, version: number): void {
  const { high, low } = rowHash(id, version);
  sum.n += 1;
  sum.high ^= high;
  sum.low ^= low;
}

export function addSum(sum: Sum, other: Sum): void {
  sum.n += other.n;
  sum.high ^= other.high;
  sum.low ^= other.low;
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');

/** As the wire has it: rows, and 16 hexadecimal digits. */
export const onWire = ({ n, high, low }: Sum): [n: number, hash: string] => [n, hex(high) + hex(low)];

/** Which of the 256 buckets a row is in: the last byte of its id. */
export const bucketOf = (id: string): number => Number.parseInt(id.slice(-2), 16);
