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
const MOST_COMMENT = 65_535;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Where the end record stands: it must reach to the very end of the file, so that nothing else hides behind it. */
function endAt(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MOST_COMMENT);
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
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
  };
  return { entry, next };
}

/**
 * What a ZIP says it holds, without unpacking any of it.
 *
 * @param most entries; a ZIP with more is not read
 * @returns null for what is no whole ZIP, for one with more entries, and for ZIP64, which nothing of 4 GB needs
 * Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3.
 */
export function zipEntries(bytes: Uint8Array, most: number): ZipEntry[] | null {
  if (bytes.length < END_BYTES) return null;
  const view = viewOf(bytes);
  const end = endAt(view);
  if (end === -1 || view.getUint32(0, true) !== LOCAL) return null;
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
 * Unpacks deflated bytes and stops as soon as there are more than `most`.
 *
 * @param format `deflate-raw` as in a ZIP, `deflate` (zlib) as in a PDF
 * @throws {UnpackedTooLarge}
 * @throws {TypeError} for what cannot be unpacked
 */
export async function inflated(
  packed: Uint8Array,
  format: 'deflate-raw' | 'deflate',
  most: number,
): Promise<Uint8Array> {
  const source = new Blob([new Uint8Array(packed)]).stream();
  const reader = source.pipeThrough<Uint8Array>(new DecompressionStream(format)).getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new UnpackedTooLarge(`more than ${most} bytes`);
    }
    pieces.push(piece.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/**
 * One entry, unpacked to exactly the bytes it announced.
 *
 * @throws {UnpackedTooLarge} where more come out
 * @throws {TypeError} for what cannot be unpacked or is shorter
 */
export async function unpackedEntry(bytes: Uint8Array, entry: ZipEntry): Promise<Uint8Array> {
  const packed = packedOf(bytes, entry);
  if (!packed || (entry.method !== 0 && entry.method !== 8)) throw new TypeError(`${entry.name} cannot be unpacked`);
  const whole = entry.method === 0 ? packed : await inflated(packed, 'deflate-raw', entry.unpacked);
  if (whole.byteLength !== entry.unpacked) throw new TypeError(`${entry.name} has ${whole.byteLength} bytes`);
  return whole;
}
