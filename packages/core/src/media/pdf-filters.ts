import { Inflate, type ZStream } from 'pako';

/** Decoding took more than a document may take. */
export class DecodedTooLarge extends Error {
  override name = 'DecodedTooLarge';
}

/** Takes what was decoded, piece by piece; throws to end it. */
export type ByteSink = (chunk: Uint8Array) => void;
/** `whole`: to the end of what was packed; `broken`: up to where it cannot be read; `other`: it is not packed in this way. */
export type DecodeResult = 'whole' | 'broken' | 'other';

/** bytes. */
const CHUNK = 65_536;
const WINDOW_BITS = 15;

/** Whether bytes begin as zlib's do (RFC 1950, 2.2), without a dictionary of its own. */
export const beginsAsZlib = (bytes: Uint8Array): boolean => {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 === 0 && (flags & 0x20) === 0;
};

/** Unpacks zlib's bytes as far as they go: what came before a fault is handed over too, since readers show it. */
export function inflate(bytes: Uint8Array, take: ByteSink): DecodeResult {
  if (!beginsAsZlib(bytes)) return 'other';
  let stream: ZStream | null = null;
  const inflater = new Inflate({ chunkSize: CHUNK, windowBits: WINDOW_BITS });
  inflater.onStart = started => (stream = started);
  inflater.onData = take;
  inflater.onEnd = () => (inflater.chunks = []);
  if (inflater.push(bytes, true)) return 'whole';
  const left = leftIn(stream);
  if (left) take(left);
  // A wrong sum behind whole data hinders no reader.
  return inflater.msg === 'incorrect data check' ? 'whole' : 'broken';
}

const leftIn = (stream: ZStream | null): Uint8Array | null => {
  const { output, next_out: length } = stream ?? { output: null, next_out: 0 };
  return output && length > 0 ? output.subarray(0, length) : null;
};

const isSpace = (byte: number): boolean => byte <= 0x20 && [0, 9, 10, 12, 13, 32].includes(byte);

/** ISO 32000-2, 7.4.2. */
export function asciiHex(bytes: Uint8Array, take: ByteSink): DecodeResult {
  const out = new ChunkWriter(take);
  let half = -1;
  for (const byte of bytes) {
    if (isSpace(byte)) continue;
    if (byte === 0x3e) {
      if (half >= 0) out.add(half << 4);
      return out.end('whole');
    }
    const value = hexValue(byte);
    if (value < 0) return out.end('broken');
    if (half >= 0) out.add((half << 4) | value);
    half = half < 0 ? value : -1;
  }
  return out.end('broken');
}

export function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const char = byte | 0x20;
  return char >= 0x61 && char <= 0x66 ? char - 0x57 : -1;
}

/** ISO 32000-2, 7.4.3. */
export function ascii85(bytes: Uint8Array, take: ByteSink): DecodeResult {
  const out = new ChunkWriter(take);
  let group: number[] = [];
  const flush = () => {
    const count = group.length;
    const value = [...group, 84, 84, 84, 84].slice(0, 5).reduce((sum, each) => sum * 85 + each, 0);
    for (let n = 0; n < count - 1; n += 1) out.add(Math.floor(value / 256 ** (3 - n)) & 0xff);
    group = [];
  };
  for (const byte of bytes) {
    if (isSpace(byte)) continue;
    if (byte === 0x7e) {
      flush();
      return out.end('whole');
    }
    if (byte === 0x7a && group.length === 0) for (let n = 0; n < 4; n += 1) out.add(0);
    else if (byte < 0x21 || byte > 0x75) return out.end('broken');
    else if (group.push(byte - 0x21) === 5) flush();
  }
  return out.end('broken');
}

/** ISO 32000-2, 7.4.5. */
export function runLength(bytes: Uint8Array, take: ByteSink): DecodeResult {
  const out = new ChunkWriter(take);
  let at = 0;
  while (at < bytes.length) {
    const length = bytes[at] ?? 128;
    if (length === 128) return out.end('whole');
    if (length < 128) for (let n = 1; n <= length + 1; n += 1) out.add(bytes[at + n] ?? 0);
    else for (let n = 0; n < 257 - length; n += 1) out.add(bytes[at + 1] ?? 0);
    at += length < 128 ? length + 2 : 2;
  }
  return out.end('broken');
}

const [CLEAR, END, FIRST] = [256, 257, 258];

/** ISO 32000-2, 7.4.4, with the usual early change of the code's length. */
export function lzw(bytes: Uint8Array, take: ByteSink): DecodeResult {
  const out = new ChunkWriter(take);
  // Each code: the one it goes on from, its last letter, its first, how long it is.
  const [from, last, length] = [new Uint16Array(4097), new Uint8Array(4097), new Uint16Array(4097)];
  for (let code = 0; code < CLEAR; code += 1) [last[code], length[code]] = [code, 1];
  const chars = new Uint8Array(4097);
  const spell = (code: number): number => {
    const size = length[code] ?? 0;
    for (let n = size - 1, each = code; n >= 0; n -= 1, each = from[each] ?? 0) chars[n] = last[each] ?? 0;
    return size;
  };
  let [next, bits, before, held, count] = [FIRST, 9, -1, 0, 0];
  for (const byte of bytes) {
    [held, count] = [((held << 8) | byte) & 0xff_ffff, count + 8];
    if (count < bits) continue;
    const code = (held >> (count - bits)) & ((1 << bits) - 1);
    count -= bits;
    if (code === END) return out.end('whole');
    if (code === CLEAR) {
      [next, bits, before] = [FIRST, 9, -1];
      continue;
    }
    if (code > next || (code === next && before < 0) || (before < 0 && code >= CLEAR) || next > 4096)
      return out.end('broken');
    if (before >= 0) {
      // A code that is being made: its first letter is that of the one before.
      spell(code === next ? before : code);
      [from[next], last[next], length[next]] = [before, chars[0] ?? 0, (length[before] ?? 0) + 1];
      next += 1;
    }
    const size = spell(code);
    for (let n = 0; n < size; n += 1) out.add(chars[n] ?? 0);
    before = code;
    if (next + 1 >= 1 << bits && bits < 12) bits += 1;
  }
  return out.end('broken');
}

/** Bytes one by one, handed over in pieces. */
class ChunkWriter {
  private chunk = new Uint8Array(CHUNK);
  private length = 0;
  private readonly take: ByteSink;

  constructor(take: ByteSink) {
    this.take = take;
  }

  add(byte: number): void {
    this.chunk[this.length] = byte;
    this.length += 1;
    if (this.length === CHUNK) this.hand();
  }

  end(outcome: DecodeResult): DecodeResult {
    this.hand();
    return outcome;
  }

  private hand(): void {
    if (this.length > 0) this.take(this.chunk.subarray(0, this.length));
    this.chunk = new Uint8Array(CHUNK);
    this.length = 0;
  }
}
