import {
  ascii85,
  asciiHex,
  beginsAsZlib,
  DecodedTooLarge,
  inflate,
  lzw,
  runLength,
  type DecodeResult,
  type ByteSink,
} from './pdf-filters.ts';
import { isActive, latin, MAX_NAME_LENGTH, namesActive, spelledOut } from './pdf-names.ts';
import { GAP, HEAD, predictorsIn, undonePng, undoneTiff } from './pdf-predictors.ts';

/** Something packed starts a program, or hands something out. */
export class ActiveContent extends Error {
  override name = 'ActiveContent';
}
/** A stream that cannot be unpacked, or is packed as nobody packs it. */
export class UnreadableStream extends Error {
  override name = 'UnreadableStream';
}

/** bytes, of all streams together: those that could be packed objects; others but pictures; pictures, of which then the beginnings are looked at. */
const MAX_DECODED = { objects: 60_000_000, other: 300_000_000, pictures: 150_000_000 };
type Kind = keyof typeof MAX_DECODED;
/** How often one is packed in another. */
const MAX_DEPTH = 3;
/** Ways to undo a predictor, tried at all streams together. */
const MAX_TRIES = 3_000_000;

const INDIRECT = new RegExp(
  `/(?:Filter|DecodeParms|DP|Predictor|Columns|Colors|EarlyChange)${GAP}(?:\\[${GAP})?\\d+${GAP}\\d+${GAP}R(?!\\w)`,
);
/** What may stand before them; at the beginning of a stream only, so that no comment is too long. */
const LEAD = String.raw`(?:[\s\0]|%[^\r\n]*[\r\n])*`;
/** Numbers where packed objects begin, as in `12 0 15 34`; or nothing but gaps so far. */
const OBJECTS = new RegExp(`^${LEAD}(?:[+-]?[\\d.]+(?:[\\s\\0]|%[^\\r\\n]*[\\r\\n])+[+-]?[\\d.]|$)`);

const DECODERS = [
  { names: /\/(?:ASCIIHexDecode|AHx)(?!\w)/, decode: asciiHex },
  { names: /\/(?:ASCII85Decode|A85)(?!\w)/, decode: ascii85 },
  { names: /\/(?:LZWDecode|LZW)(?!\w)/, decode: lzw },
  { names: /\/(?:RunLengthDecode|RL)(?!\w)/, decode: runLength },
] as const;
type StreamDecoder = (bytes: Uint8Array, take: ByteSink) => DecodeResult;
/** Take anything, and come to an end of it sooner or later. */
const LOOSE: ReadonlySet<StreamDecoder> = new Set([lzw, runLength]);

const FILTER = String.raw`\/(?:FlateDecode|Fl|ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|DCTDecode|DCT|JPXDecode|CCITTFaxDecode|CCF|JBIG2Decode)(?!\w)`;
const KNOWN_FILTER = new RegExp(`/Filter${GAP}(?:${FILTER}|\\[${GAP}(?:${FILTER}${GAP})*\\])`);
const FIRST_IS_FLATE = new RegExp(`/Filter${GAP}\\[?${GAP}/(?:FlateDecode|Fl)(?!\\w)`);
const ONLY_FLATE = new RegExp(`/Filter${GAP}(?:/FlateDecode(?!\\w)|\\[${GAP}/FlateDecode${GAP}\\])`);

/** What is said of a stream right before it. It decides what is refused as broken, never where something is looked for. */
type StreamHints = { isPicture: boolean; isFlate: boolean };

function traitsBefore(before: string): StreamHints {
  const words = spelledOut(before.slice(Math.max(0, before.lastIndexOf('obj'))));
  const isPicture = /\/Subtype[\s\0]*\/Image(?!\w)/.test(words);
  if (words.includes('/Filter') && !KNOWN_FILTER.test(words)) throw new UnreadableStream('a filter that nobody knows');
  if (
    /\/ObjStm(?!\w)/.test(words) &&
    (words.includes('/DecodeParms') || (words.includes('/Filter') && !ONLY_FLATE.test(words)))
  )
    throw new UnreadableStream('objects are packed in a way nobody uses');
  return { isPicture, isFlate: FIRST_IS_FLATE.test(words) };
}

const namesOf = (kind: Kind): 'objects' | 'other' => (kind === 'objects' ? kind : 'other');

/** Looks for names in what comes out piece by piece; a name may lie across two. */
class Scanner {
  /** What came out so far, where it is wanted whole. */
  readonly kept: Uint8Array[] = [];
  kind: Kind | null = null;
  head = new Uint8Array(0);
  /** A name came by, which may stand in a text that is drawn. */
  isSuspect = false;
  private carried = '';

  add(chunk: Uint8Array, isPicture: boolean): void {
    if (this.kind === null) {
      this.head = chunk.slice(0, HEAD);
      const isObjects = OBJECTS.test(latin(chunk.subarray(0, HEAD)));
      this.kind = isObjects ? 'objects' : isPicture ? 'pictures' : 'other';
    }
    const text = this.carried + latin(chunk);
    this.carried = text.slice(-MAX_NAME_LENGTH);
    this.isSuspect ||= namesActive(text, namesOf(this.kind));
  }
}

/** A picture is not looked at further. */
class PictureBudgetSpent extends Error {}

/** Unpacks streams wherever they could begin, and looks for names in what comes out. */
export class StreamReader {
  private readonly left = { ...MAX_DECODED };
  private tries = MAX_TRIES;
  private readonly bytes: Uint8Array;
  private readonly decoders: StreamDecoder[];
  private readonly predictors: NonNullable<ReturnType<typeof predictorsIn>>;

  /** @throws {UnreadableStream} where filters stand elsewhere than at the stream: who looks there finds others */
  constructor(bytes: Uint8Array, text: string) {
    this.bytes = bytes;
    const words = spelledOut(text);
    if (INDIRECT.test(words)) throw new UnreadableStream('filters stand elsewhere');
    if (/\/EarlyChange(?!\w)/.test(words)) throw new UnreadableStream('another way of LZW');
    this.decoders = DECODERS.filter(({ names }) => names.test(words)).map(({ decode }) => decode);
    const predictors = predictorsIn(words);
    if (!predictors) throw new UnreadableStream('more predictors than a document has, or some that stand elsewhere');
    this.predictors = predictors;
  }

  /**
   * Looks at the stream that could begin at this place.
   *
   * @param before what stands between the last such place and this one
   * @throws {ActiveContent} {@link UnreadableStream} {@link DecodedTooLarge}
   */
  look(before: string, place: number): void {
    const traits = traitsBefore(before);
    const starts = this.startsAt(place + 'stream'.length);
    const outcomes = starts.map(start => this.unpack(this.bytes.subarray(start), traits, 0));
    const isEmpty = latin(this.bytes.subarray(starts[0] ?? 0, (starts[0] ?? 0) + 12))
      .trimStart()
      .startsWith('endstr');
    if (traits.isFlate && !traits.isPicture && !isEmpty && !outcomes.includes('whole'))
      throw new UnreadableStream('a stream that cannot be unpacked');
  }

  /** Readers begin behind the line's end; some take any gap for it, some the rest of the line. */
  private startsAt(at: number): number[] {
    const line = latin(this.bytes.subarray(at, at + 256));
    const gap = /^[\s\0]*/.exec(line)?.[0].length ?? 0;
    const first = /^(?:\r\n|\n|\r)/.exec(line)?.[0].length ?? 0;
    const rest = /^[^\r\n]*(?:\r\n|\n|\r)/.exec(line)?.[0].length ?? 0;
    return [...new Set([first, rest, gap].map(each => at + each))];
  }

  private unpack(bytes: Uint8Array, traits: StreamHints, depth: number): DecodeResult {
    if (depth >= MAX_DEPTH) throw new UnreadableStream('packed in itself too often');
    const outcome = this.decode(inflate, bytes, traits, depth);
    for (const decoder of this.decoders) this.decode(decoder, bytes, traits, depth);
    return outcome;
  }

  private decode(decoder: StreamDecoder, bytes: Uint8Array, traits: StreamHints, depth: number): DecodeResult {
    if (decoder === inflate && !beginsAsZlib(bytes)) return 'other';
    const scanner = new Scanner();
    let outcome: DecodeResult;
    try {
      outcome = decoder(bytes, chunk => this.take(scanner, chunk, traits));
    } catch (error) {
      if (!(error instanceof PictureBudgetSpent)) throw error;
      outcome = 'whole';
    }
    if (scanner.isSuspect) this.judge(decoder, bytes, scanner.kind ?? 'objects');
    this.refusePredicted(scanner, traits);
    const whole = joined(scanner.kept);
    const isPackedAgain = beginsAsZlib(whole) || (outcome === 'whole' && whole.length > 0 && !LOOSE.has(decoder));
    if (isPackedAgain) this.unpack(whole, traits, depth + 1);
    return outcome;
  }

  /** Looks at all of it again: whether a name stands in a text is told from its beginning. */
  private judge(decoder: StreamDecoder, bytes: Uint8Array, kind: Kind): void {
    const chunks: Uint8Array[] = [];
    let left = MAX_DECODED.objects;
    decoder(bytes, chunk => {
      left -= chunk.length;
      if (left < 0) throw new ActiveContent('a name in a stream that is larger than any text');
      chunks.push(chunk.slice());
    });
    this.left[kind] -= MAX_DECODED.objects - left;
    if (isActive(latin(joined(chunks)), namesOf(kind))) throw new ActiveContent('in a stream');
  }

  private take(scanner: Scanner, chunk: Uint8Array, { isPicture }: StreamHints): void {
    const isFirst = scanner.kind === null;
    scanner.add(chunk, isPicture);
    const kind = scanner.kind ?? 'other';
    this.left[kind] -= chunk.length;
    if (this.left[kind] < 0 && kind === 'pictures') throw new PictureBudgetSpent();
    if (this.left[kind] < 0) throw new DecodedTooLarge(`more than ${MAX_DECODED[kind]} bytes`);
    // Packed once more: kept, to be unpacked again.
    if (isFirst ? beginsAsZlib(chunk) || this.decoders.length > 0 : scanner.kept.length > 0)
      scanner.kept.push(chunk.slice());
  }

  /** Packed objects whose letters are told by their neighbours: nobody writes such. */
  private refusePredicted({ head }: Scanner, { isPicture }: StreamHints): void {
    const { png, tiff } = this.predictors;
    this.tries -= png.length + tiff.length;
    if (this.tries < 0) throw new DecodedTooLarge('too many ways to undo predictors');
    for (const rows of png) refuseObjects(undonePng(head, rows), isPicture);
    for (const rows of tiff) refuseObjects(undoneTiff(head, rows), isPicture);
  }
}

function refuseObjects(undone: Uint8Array | null, isPicture: boolean): void {
  if (!undone || undone.length === 0) return;
  const text = latin(undone);
  if (!OBJECTS.test(text)) return;
  // A picture may begin with black: of it no number is known.
  if (isPicture && !/\d/.test(text)) return;
  throw new UnreadableStream('objects are predicted');
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
