/** Bytes of one value by its type (TIFF 6.0, section 2). */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const ENTRY_BYTES = 12;
/** The entry of the first directory that points to the position (Exif 2.32, 4.6.3). */
const POSITION = 0x8825;

/** A TIFF block between two offsets; reads outside answer null. */
class Block {
  private readonly view: DataView;
  private readonly little: boolean;

  constructor(bytes: Uint8Array, from: number, to: number) {
    const end = Math.max(from, Math.min(to, bytes.length));
    this.view = new DataView(bytes.buffer, bytes.byteOffset + from, end - from);
    this.little = this.view.byteLength > 1 && this.view.getUint16(0) === 0x4949;
  }

  has(at: number, length: number): boolean {
    return at >= 0 && at + length <= this.view.byteLength;
  }

  short(at: number): number | null {
    return this.has(at, 2) ? this.view.getUint16(at, this.little) : null;
  }

  long(at: number): number | null {
    return this.has(at, 4) ? this.view.getUint32(at, this.little) : null;
  }

  setShort(at: number, value: number): void {
    this.view.setUint16(at, value, this.little);
  }

  blank(at: number, length: number): void {
    for (let each = at; each < at + length && this.has(each, 1); each += 1) this.view.setUint8(each, 0);
  }

  move(to: number, from: number, length: number): void {
    for (let each = 0; each < length; each += 1) this.view.setUint8(to + each, this.view.getUint8(from + each));
  }

  get isTiff(): boolean {
    const mark = this.has(0, 8) ? this.view.getUint16(0) : 0;
    return (mark === 0x4949 || mark === 0x4d4d) && this.short(2) === 42;
  }
}

/** Tags of a position end here (Exif 2.32, table 15), and none of its values is longer, in bytes. */
const LAST_TAG = 0x1f;
const MAX_VALUE_BYTES = 1024;

/** Length of an entry's value in bytes; null for what is no entry of a position. */
function valueLength(block: Block, entry: number): number | null {
  const [tag, type, count] = [block.short(entry), block.short(entry + 2), block.long(entry + 4)];
  const size = SIZES[type ?? 0] ?? 0;
  if (tag === null || tag > LAST_TAG || size === 0 || count === null) return null;
  return size * count <= MAX_VALUE_BYTES && block.has(entry, ENTRY_BYTES) ? size * count : null;
}

/** Blanks a directory with its values, also those that lie elsewhere. A pointer to something else leaves that as it is. */
function blankDirectory(block: Block, at: number, isFree: (from: number, to: number) => boolean): void {
  const count = block.short(at) ?? 0;
  const entries = Array.from({ length: Math.min(count, LAST_TAG + 1) }, (_, index) => at + 2 + index * ENTRY_BYTES);
  const lengths = entries.map(entry => valueLength(block, entry));
  const end = at + 2 + count * ENTRY_BYTES + 4;
  if (count > entries.length || lengths.includes(null) || !isFree(at, end)) return;
  for (const [index, entry] of entries.entries()) {
    const [length, value] = [lengths[index] ?? 0, block.long(entry + 8) ?? 0];
    if (length > 4 && isFree(value, value + length)) block.blank(value, length);
  }
  block.blank(at, end - at);
}

/**
 * Blanks the position in an Exif block and takes the entry that points to it out of its directory.
 *
 * @param from where the TIFF header begins; to: the end of what may be touched
 * @returns whether there was one
 */
export function blankPosition(bytes: Uint8Array, from: number, to: number): boolean {
  const block = new Block(bytes, from, to);
  const first = block.isTiff ? block.long(4) : null;
  const count = first === null ? null : block.short(first);
  if (first === null || count === null || !block.has(first, 2 + count * ENTRY_BYTES + 4)) return false;
  const end = first + 2 + count * ENTRY_BYTES + 4;
  for (let entry = first + 2; entry < end - 4; entry += ENTRY_BYTES) {
    if (block.short(entry) !== POSITION) continue;
    const isFree = (start: number, stop: number) => start >= 8 && (stop <= first || start >= end);
    blankDirectory(block, block.long(entry + 8) ?? 0, isFree);
    // The entries behind it move up, and with them what says where the next directory is.
    block.move(entry, entry + ENTRY_BYTES, end - entry - ENTRY_BYTES);
    block.blank(end - ENTRY_BYTES, ENTRY_BYTES);
    block.setShort(first, count - 1);
    return true;
  }
  return false;
}
