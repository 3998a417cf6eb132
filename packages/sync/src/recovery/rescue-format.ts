import { keyFromPassword, PASSWORD_SEAL } from '../crypto/password-seal.ts';

/** Why a file gives nothing: not one of ours, of a newer Cairn, cut off or changed, or closed with other words. */
export type RescueProblem = 'foreign' | 'newer' | 'damaged' | 'locked';

/** A rescue file that cannot be read; nothing was changed. */
export class RescueRefused extends Error {
  override name = 'RescueRefused';
  readonly problem: RescueProblem;

  constructor(problem: RescueProblem, options?: ErrorOptions) {
    super(`rescue file: ${problem}`, options);
    this.problem = problem;
  }
}

const MAGIC = new TextEncoder().encode('CAIRNRSC');
/** Raised when older versions of Cairn could not read what newer ones write. */
export const RESCUE_VERSION = 1;
const HEAD = MAGIC.length + 1 + PASSWORD_SEAL.saltBytes;
/** Before each section: the length of its sealed body in bytes, then its vector. */
const SECTION_HEAD = 4 + PASSWORD_SEAL.vectorBytes;

type Bytes = Uint8Array<ArrayBuffer>;

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
export async function sealRescue(passphrase: string, sections: AsyncIterable<Bytes>): Promise<Blob> {
  const { algorithm, saltBytes, vectorBytes } = PASSWORD_SEAL;
  const head = new Uint8Array(HEAD);
  head.set(MAGIC);
  head[MAGIC.length] = RESCUE_VERSION;
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

/** An unlocked rescue file; a section is read and opened when it is asked for. */
export type OpenRescue = {
  /** How many sections there are. */
  count: number;
  /** @throws {RescueRefused} `locked` when it was closed with other words, or a bit of it has changed */
  section(index: number): Promise<Bytes>;
};

const bytesOf = async (blob: Blob): Promise<Bytes> => new Uint8Array(await blob.arrayBuffer());

async function headOf(file: Blob): Promise<Bytes> {
  const head = await bytesOf(file.slice(0, HEAD));
  const begins = MAGIC.slice(0, head.length).every((byte, at) => head[at] === byte);
  if (head.length === 0 || !begins) throw new RescueRefused('foreign');
  if (head.length < HEAD) throw new RescueRefused('damaged');
  if ((head[MAGIC.length] ?? 0) > RESCUE_VERSION) throw new RescueRefused('newer');
  return head;
}

type Place = { iv: Blob; body: Blob };

async function placesIn(file: Blob): Promise<Place[]> {
  const places: Place[] = [];
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

/**
 * Looks whether this is a whole rescue file, and gets the key of its passphrase ready.
 * @throws {RescueRefused} `foreign`, `newer`, `damaged`
 */
export async function openRescue(file: Blob, passphrase: string): Promise<OpenRescue> {
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
