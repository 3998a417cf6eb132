export type Exif = {
  little: boolean;
  /** Entries before and behind the pointer to the position. */
  before: number;
  behind: number;
  /** What stands for the coordinates. */
  position: Uint8Array;
};

/** An Exif block as cameras write it: a directory with a pointer to a position, a second directory, the position. */
export function exif({ little, before, behind, position }: Exif): Uint8Array<ArrayBuffer> {
  const count = before + 1 + behind;
  const [first, next] = [8, 8 + 2 + count * 12 + 4];
  const gps = next + 2 + 12 + 4;
  const values = gps + 2 + 2 * 12 + 4;
  const bytes = new Uint8Array(values + position.length);
  const view = new DataView(bytes.buffer);
  const entry = (at: number, tag: number, [type, length, value]: [number, number, number]) => {
    view.setUint16(at, tag, little);
    view.setUint16(at + 2, type, little);
    view.setUint32(at + 4, length, little);
    view.setUint32(at + 8, value, little);
  };
  bytes.fill(little ? 0x49 : 0x4d, 0, 2);
  view.setUint16(2, 42, little);
  view.setUint32(4, first, little);
  view.setUint16(first, count, little);
  for (let each = 0; each < count; each += 1) {
    const at = first + 2 + each * 12;
    if (each === before) entry(at, 0x8825, [4, 1, gps]);
    else entry(at, 0x100 + each, [4, 1, 1000 + each]);
  }
  view.setUint32(next - 4, next, little);
  view.setUint16(next, 1, little);
  entry(next + 2, 0x201, [4, 1, 77]);
  view.setUint16(gps, 2, little);
  entry(gps + 2, 2, [1, position.length, values]);
  entry(gps + 14, 1, [2, 2, little ? 0x4e : 0x4e000000]);
  bytes.set(position, values);
  return bytes;
}
