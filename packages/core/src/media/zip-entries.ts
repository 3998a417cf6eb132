/** One file of a ZIP as its central directory announces it; sizes in bytes. */
export type ZipEntry = {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  packed: number;
  unpacked: number;
  /** Where its local header begins. */
  offset: number;
  isEncrypted: boolean;
};

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
/** A comment behind the end record is at most so long. */
const MAX_COMMENT_BYTES = 65_535;
/** Of flags: closed with a password, sizes behind the bytes instead of before them, names in UTF-8. */
const [ENCRYPTED, SIZES_BEHIND, UTF8] = [1, 8, 0x0800];
/** What makes a size or place "look into the extra field" (ZIP64). */
const IN_EXTRA = 0xffff_ffff;
/** Info-ZIP's second name of an entry: who reads it finds another file than who does not. */
const UNICODE_PATH = 0x7075;
const DOS_FOLDER = 0x10;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Where the end record stands: it must reach to the very end of the file, so that nothing else hides behind it. */
function endAt(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1)
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength)
      return at;
  return -1;
}

/** Whether bytes end as a ZIP does, whatever they begin with. */
export const endsAsZip = (bytes: Uint8Array): boolean => bytes.length >= END_BYTES && endAt(viewOf(bytes)) !== -1;

function entryAt(bytes: Uint8Array, view: DataView, at: number): { entry: ZipEntry; next: number } | null {
  if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL) return null;
  const nameLength = view.getUint16(at + 28, true);
  const next = at + CENTRAL_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (next > bytes.length) return null;
  const entry = {
    name: textOf(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength)),
    method: view.getUint16(at + 10, true),
    packed: view.getUint32(at + 20, true),
    unpacked: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    isEncrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
  };
  return isStatedOnce(bytes, view, at, entry) ? { entry, next } : null;
}

/** Whether an extra field has a part of that kind, or is none. */
function hasExtra(view: DataView, from: number, length: number, kind: number): boolean {
  let at = from;
  while (at + 4 <= from + length) {
    if (view.getUint16(at, true) === kind) return true;
    at += 4 + view.getUint16(at + 2, true);
  }
  // Writers leave room of fewer than four bytes; a part that is longer than its field is read by some and not by others.
  return at > from + length;
}

const sameBytes = (bytes: Uint8Array, one: number, other: number, length: number): boolean => {
  for (let n = 0; n < length; n += 1) if (bytes[one + n] !== bytes[other + n]) return false;
  return true;
};

/** Names are told once and in one way: ASCII, or UTF-8 that says so; a folder is called one and is one. */
function isNamedOnce(bytes: Uint8Array, view: DataView, at: number): boolean {
  const length = view.getUint16(at + 28, true);
  const from = at + CENTRAL_BYTES;
  const name = bytes.subarray(from, from + length);
  if ((view.getUint16(at + 8, true) & UTF8) === 0 && name.some(each => each > 0x7e)) return false;
  const isFolder = (view.getUint32(at + 38, true) & DOS_FOLDER) !== 0;
  if (isFolder && name.at(-1) !== 0x2f) return false;
  return !hasExtra(view, from + length, view.getUint16(at + 30, true), UNICODE_PATH);
}

/** Sizes and sum in the local header: as in the directory, or none where they stand behind the bytes. */
function sizesAgree(view: DataView, at: number, local: number): boolean {
  const isBehind = (view.getUint16(at + 8, true) & SIZES_BEHIND) !== 0;
  return [0, 4, 8].every(field => {
    const stated = view.getUint32(local + 14 + field, true);
    return stated === view.getUint32(at + 16 + field, true) || (isBehind && stated === 0);
  });
}

/**
 * Whether the directory and the header before the bytes say the same of an entry: Word reads one, the converter's reader the name from
 * the other, and each believes what it reads.
 */
function isStatedOnce(bytes: Uint8Array, view: DataView, at: number, { offset, packed, unpacked }: ZipEntry): boolean {
  if ([offset, packed, unpacked].includes(IN_EXTRA) || view.getUint16(at + 34, true) !== 0) return false;
  if (offset + LOCAL_BYTES > bytes.length || view.getUint32(offset, true) !== LOCAL) return false;
  const length = view.getUint16(at + 28, true);
  const extra = view.getUint16(offset + 28, true);
  const isSame =
    view.getUint16(offset + 26, true) === length &&
    offset + LOCAL_BYTES + length + extra + packed <= bytes.length &&
    sameBytes(bytes, at + CENTRAL_BYTES, offset + LOCAL_BYTES, length) &&
    view.getUint16(offset + 6, true) === view.getUint16(at + 8, true) &&
    view.getUint16(offset + 8, true) === view.getUint16(at + 10, true);
  if (!isSame || !isNamedOnce(bytes, view, at) || !sizesAgree(view, at, offset)) return false;
  return !hasExtra(view, offset + LOCAL_BYTES + length, extra, UNICODE_PATH);
}

/** One disk, no comment (an end record can hide in it), and a directory that goes up to the end record: no place is counted from elsewhere. */
const isWholeEnd = (view: DataView, end: number): boolean =>
  view.getUint32(end + 4, true) === 0 &&
  view.getUint16(end + 20, true) === 0 &&
  view.getUint32(end + 16, true) + view.getUint32(end + 12, true) === end;

/**
 * What a ZIP says it holds, without unpacking any of it.
 *
 * @param most entries; a ZIP with more is not read
 * @returns null for what is no whole ZIP, for one with more entries, for ZIP64, which nothing of 4 GB needs, and where its directory
 *   and its headers disagree
 * Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3.
 */
export function zipEntries(bytes: Uint8Array, most: number): ZipEntry[] | null {
  if (bytes.length < END_BYTES) return null;
  const view = viewOf(bytes);
  const end = endAt(view);
  if (end === -1 || view.getUint32(0, true) !== LOCAL || !isWholeEnd(view, end)) return null;
  const count = view.getUint16(end + 10, true);
  if (count === 0 || count > most || count !== view.getUint16(end + 8, true)) return null;
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let n = 0; n < count; n += 1) {
    const read = entryAt(bytes, view, at);
    if (!read) return null;
    entries.push(read.entry);
    at = read.next;
  }
  return at === end && standApart(entries, view) ? entries : null;
}

/** The packed bytes of an entry; null where its local header is none. */
function packedOf(bytes: Uint8Array, { offset, packed }: ZipEntry): Uint8Array | null {
  const view = viewOf(bytes);
  if (offset + LOCAL_BYTES > bytes.length || view.getUint32(offset, true) !== LOCAL) return null;
  const from = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  return from + packed <= bytes.length ? bytes.subarray(from, from + packed) : null;
}

/** Entries that share bytes unpack to more than any of them says. */
function standApart(entries: readonly ZipEntry[], view: DataView): boolean {
  let free = 0;
  for (const { offset, packed } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < free || offset + LOCAL_BYTES > view.byteLength) return false;
    free = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true) + packed;
  }
  return free <= view.byteLength;
}

/** More came out of packed bytes than there may be. */
export class UnpackedTooLarge extends Error {}

/**
 * Unpacks deflated bytes piece by piece and stops as soon as there are more than `most`.
 *
 * @throws {UnpackedTooLarge}
 * @throws {TypeError} for what cannot be unpacked
 */
async function* inflated(packed: Uint8Array, most: number): AsyncGenerator<Uint8Array> {
  const source = new Blob([new Uint8Array(packed)]).stream();
  const reader = source.pipeThrough<Uint8Array>(new DecompressionStream('deflate-raw')).getReader();
  let size = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new UnpackedTooLarge(`more than ${most} bytes`);
    }
    yield chunk.value;
  }
}

/** @throws {TypeError} for what is packed in another way, or not there */
function packedBytes(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  const packed = packedOf(bytes, entry);
  if (!packed || (entry.method !== 0 && entry.method !== 8)) throw new TypeError(`${entry.name} cannot be unpacked`);
  if (entry.method === 0 && entry.packed !== entry.unpacked) throw new TypeError(`${entry.name} has other sizes`);
  return packed;
}

/**
 * One entry, unpacked to exactly the bytes it announced.
 *
 * @throws {UnpackedTooLarge} where more come out
 * @throws {TypeError} for what cannot be unpacked or is shorter
 */
export async function unpackedEntry(bytes: Uint8Array, entry: ZipEntry): Promise<Uint8Array> {
  const packed = packedBytes(bytes, entry);
  if (entry.method === 0) return packed;
  const whole = new Uint8Array(entry.unpacked);
  let at = 0;
  for await (const chunk of inflated(packed, entry.unpacked)) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at !== entry.unpacked) throw new TypeError(`${entry.name} has ${at} bytes`);
  return whole;
}

/** As `unpackedEntry` for an entry that nobody reads: what comes out is counted and let go. */
export async function measureEntry(bytes: Uint8Array, entry: ZipEntry): Promise<void> {
  const packed = packedBytes(bytes, entry);
  if (entry.method === 0) return;
  let size = 0;
  for await (const chunk of inflated(packed, entry.unpacked)) size += chunk.byteLength;
  if (size !== entry.unpacked) throw new TypeError(`${entry.name} has ${size} bytes`);
}
