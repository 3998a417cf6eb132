import type { LocalDatabase } from '../store/database.ts';
import { bytesHeld, contentsFrom, type CarriedFile, type SnapshotContents } from './snapshot-contents.ts';
import { RescueRefused } from './snapshot-refused.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Where a snapshot of unsent work lies: in a sealed file (rescue file, sealed outbox) or side by side (outbox backup). The first part
 * says what it holds, the others are the bytes of its files in the order that part names them.
 */
export type SnapshotParts = {
  /** How many there are; null where files may be missing. */
  count: number | null;
  /**
   * @param file what the first part says of this one
   * @throws {RescueRefused} `locked` when it was closed with other words, or a bit of it has changed
   */
  section(index: number, file?: CarriedFile): Promise<Bytes>;
};

/** One person's unsent work as it was saved: what it says it holds, and the way to its files. */
export type Snapshot = { contents: SnapshotContents; parts: SnapshotParts };

/** What is written for one part; `file` null is the first. Bytes that are gone from the device meanwhile are null. */
type WrittenPart = { file: CarriedFile | null; bytes: Bytes | null };

/** What a snapshot's first part says, as text. */
export const snapshotText = (contents: SnapshotContents): string => JSON.stringify(contents);

/**
 * The parts of a snapshot, one by one, so that no more than one file has to fit into memory.
 *
 * @param isWanted which files are read at all; left out, each
 */
export async function* partsOf(
  db: LocalDatabase,
  contents: SnapshotContents,
  {
    text = snapshotText(contents),
    isWanted,
  }: { text?: string; isWanted?: (file: CarriedFile) => Promise<boolean> } = {},
): AsyncGenerator<WrittenPart> {
  yield { file: null, bytes: new TextEncoder().encode(text) };
  for (const file of contents.files) {
    if (isWanted && !(await isWanted(file))) continue;
    const bytes = await bytesHeld(db, contents.owner.id, file.id);
    yield { file, bytes: bytes && new Uint8Array(bytes) };
  }
}

/**
 * What a snapshot says it holds, before anything of it is taken.
 *
 * @param read `wholeContentsFrom` for one that goes once it was taken
 * @throws {RescueRefused} `locked` with the wrong passphrase, `newer`, or `damaged` when files of it are missing
 */
export async function readSnapshot(parts: SnapshotParts, read = contentsFrom): Promise<Snapshot> {
  const contents = read(new TextDecoder().decode(await parts.section(0)));
  if (parts.count !== null && parts.count !== contents.files.length + 1) throw new RescueRefused('damaged');
  return { contents, parts };
}

/** The bytes of a snapshot's files, in order. What left the first device while it was written is with the server, and has none. */
export async function* filesIn(
  { contents, parts }: Snapshot,
  isWanted: (file: CarriedFile) => boolean = () => true,
): AsyncGenerator<{ file: CarriedFile; bytes: Bytes }> {
  for (const [at, file] of contents.files.entries())
    if (isWanted(file)) yield { file, bytes: await parts.section(at + 1, file) };
}
