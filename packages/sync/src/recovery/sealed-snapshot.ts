import { keyFromPassword, PASSWORD_SEAL } from '../crypto/password-seal.ts';
import type { LocalDatabase } from '../store/database.ts';
import { contentsFrom, collectRescue, SNAPSHOT_VERSION, type SnapshotRequest } from './snapshot-contents.ts';
import { RescueRefused } from './snapshot-refused.ts';
import { partsOf, readSnapshot, type Bytes, type Snapshot, type SnapshotParts } from './snapshot.ts';

const MAGIC = new TextEncoder().encode('CAIRNRSC');
const HEAD = MAGIC.length + 1 + PASSWORD_SEAL.saltBytes;
/** Before each section: the length of its sealed body in bytes, then its vector. */
const SECTION_HEAD = 4 + PASSWORD_SEAL.vectorBytes;

/** What a section is bound to, so that none can be moved, swapped or taken from another file. */
function boundTo(head: Bytes, index: number): Bytes {
  const bound = new Uint8Array(HEAD + 4);
  bound.set(head);
  new DataView(bound.buffer).setUint32(HEAD, index);
  return bound;
}

/**
 * Closes sections, one after the other, with a key from the passphrase (docs/rescue-file.md).
 * @param passphrase any text; what it guards is as safe as it is hard to guess
 */
export async function sealSections(passphrase: string, sections: AsyncIterable<Bytes>): Promise<Blob> {
  const { algorithm, saltBytes, vectorBytes } = PASSWORD_SEAL;
  const head = new Uint8Array(HEAD);
  head.set(MAGIC);
  head[MAGIC.length] = SNAPSHOT_VERSION;
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  head.set(salt, MAGIC.length + 1);
  const key = await keyFromPassword(passphrase, salt);
  let file = new Blob([head]);
  let index = 0;
  for await (const section of sections) {
    const iv = crypto.getRandomValues(new Uint8Array(vectorBytes));
    const bound = { name: algorithm, iv, additionalData: boundTo(head, index) };
    const body = await crypto.subtle.encrypt(bound, key, section);
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, body.byteLength);
    // Blob by blob: the browser may keep them on disk, a day of photos need not fit into memory.
    file = new Blob([file, length, iv, body], { type: 'application/octet-stream' });
    index += 1;
  }
  return file;
}

const bytesOf = async (blob: Blob): Promise<Bytes> => new Uint8Array(await blob.arrayBuffer());

async function headOf(file: Blob): Promise<Bytes> {
  const head = await bytesOf(file.slice(0, HEAD));
  const begins = MAGIC.slice(0, head.length).every((byte, at) => head[at] === byte);
  if (head.length === 0 || !begins) throw new RescueRefused('foreign');
  if (head.length < HEAD) throw new RescueRefused('damaged');
  if ((head[MAGIC.length] ?? 0) > SNAPSHOT_VERSION) throw new RescueRefused('newer');
  return head;
}

type SealedSection = { iv: Blob; body: Blob };

async function placesIn(file: Blob): Promise<SealedSection[]> {
  const places: SealedSection[] = [];
  for (let at = HEAD; at < file.size;) {
    const body = at + SECTION_HEAD;
    if (body > file.size) throw new RescueRefused('damaged');
    const length = new DataView(await file.slice(at, at + 4).arrayBuffer()).getUint32(0);
    if (body + length > file.size) throw new RescueRefused('damaged');
    places.push({ iv: file.slice(at + 4, body), body: file.slice(body, body + length) });
    at = body + length;
  }
  if (places.length === 0) throw new RescueRefused('damaged');
  return places;
}

/** Looks whether this is a whole sealed file, and gets the key of its passphrase ready; a section is read and opened when it is asked for. */
async function openSealed(file: Blob, passphrase: string): Promise<SnapshotParts> {
  const head = await headOf(file);
  const places = await placesIn(file);
  const key = await keyFromPassword(passphrase, head.slice(MAGIC.length + 1));
  return {
    count: places.length,
    async section(index) {
      const place = places[index];
      if (!place) throw new RescueRefused('damaged');
      const [iv, body] = await Promise.all([bytesOf(place.iv), bytesOf(place.body)]);
      const bound = { name: PASSWORD_SEAL.algorithm, iv, additionalData: boundTo(head, index) };
      try {
        return new Uint8Array(await crypto.subtle.decrypt(bound, key, body));
      } catch (cause) {
        throw new RescueRefused('locked', { cause });
      }
    },
  };
}

async function* sectionsOf(db: LocalDatabase, given: SnapshotRequest): AsyncGenerator<Bytes> {
  for await (const { bytes } of partsOf(db, await collectRescue(db, given))) yield bytes ?? new Uint8Array();
}

/** Everything unsent of one person as one file that only the passphrase opens. */
export const sealSnapshot = (db: LocalDatabase, given: SnapshotRequest, passphrase: string): Promise<Blob> =>
  sealSections(passphrase, sectionsOf(db, given));

/**
 * Opens what `sealSnapshot` closed.
 *
 * @param read `wholeContentsFrom` for a file that goes once it was taken
 * @throws {RescueRefused} `foreign`, `newer`, `damaged`, `locked`
 */
export const unsealSnapshot = async (file: Blob, passphrase: string, read = contentsFrom): Promise<Snapshot> =>
  readSnapshot(await openSealed(file, passphrase), read);
