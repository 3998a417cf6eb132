/** How rows of a predicted stream lie: bytes of a row, and how far back its neighbour is. */
type Rows = { bytes: number; step: number };

/** ISO 32000-2, 7.4.4.4: what the values of a predictor mean. */
const TIFF = 2;
/** More ways to lie than this has no document; each is tried at each stream. */
const MAX_WAYS = 2000;
/** bytes; so far into a stream the first two numbers of packed objects are looked for. */
export const HEAD = 4096;

/** Between a name and its value. Comments are short: of a long one each name in it would look for the end anew. */
export const GAP = String.raw`(?:[\s\0]|%[^\r\n]{0,256}[\r\n])*`;

/** The numbers a name stands for; null where it stands for something else, or where a number could hide. */
function numbersOf(text: string, name: string): Set<number> | null {
  const found = new Set<number>();
  for (const [, number] of text.matchAll(new RegExp(`/${name}(?![\\w.+-])(?:${GAP}(\\d{1,6})(?!\\d))?`, 'g'))) {
    if (number === undefined) return null;
    found.add(Number(number));
  }
  return found;
}

/** Every way in which streams of a file are predicted, by the numbers that stand anywhere in it. Null: more than there can be, or untold. */
export function predictorsIn(text: string): { png: Rows[]; tiff: Rows[] } | null {
  const kinds = numbersOf(text, 'Predictor');
  if (kinds === null) return null;
  if ([...kinds].every(each => each < TIFF)) return { png: [], tiff: [] };
  const ways = new Map<string, Rows>();
  const [wide, deep, fine] = [
    numbersOf(text, 'Columns'),
    numbersOf(text, 'Colors'),
    numbersOf(text, 'BitsPerComponent'),
  ];
  if (!wide || !deep || !fine) return null;
  const colours = [...deep.add(1)].filter(each => each <= 32);
  const bits = [...fine.add(8)].filter(each => each <= 16);
  for (const columns of wide.add(1))
    for (const colour of colours)
      for (const bit of bits) {
        const rows = {
          bytes: Math.ceil((columns * colour * bit) / 8),
          step: Math.max(1, Math.ceil((colour * bit) / 8)),
        };
        // Behind the beginning that is looked at rows differ no more.
        const key = `${Math.min(rows.bytes, HEAD)} ${rows.step}`;
        ways.set(key, rows);
        if (ways.size > MAX_WAYS) return null;
      }
  const all = [...ways.values()];
  return { png: [...kinds].some(each => each >= 10) ? all : [], tiff: kinds.has(TIFF) ? all : [] };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Undoes the predictors of PNG (ISO 15948, 9.2) for the beginning of a stream; null where its rows do not begin as such. */
export function undonePng(head: Uint8Array, { bytes, step }: Rows): Uint8Array | null {
  const out = new Uint8Array(head.length);
  let length = 0;
  for (let at = 0; at < head.length; at += bytes + 1) {
    const kind = head[at] ?? 0;
    if (kind > 4) return at === 0 ? null : out.subarray(0, length);
    const row = length;
    for (let n = 0; n < bytes && at + 1 + n < head.length; n += 1) {
      const left = n >= step ? (out[length - step] ?? 0) : 0;
      const up = row > 0 ? (out[length - bytes] ?? 0) : 0;
      const corner = n >= step && row > 0 ? (out[length - bytes - step] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0;
      out[length] = (head[at + 1 + n] ?? 0) + guess;
      length += 1;
    }
  }
  return out.subarray(0, length);
}

/** Undoes the predictor of TIFF for parts of eight bits. */
export function undoneTiff(head: Uint8Array, { bytes, step }: Rows): Uint8Array {
  const out = head.slice();
  for (let at = 0; at < out.length; at += 1) if (at % bytes >= step) out[at] = (out[at] ?? 0) + (out[at - step] ?? 0);
  return out;
}
