/**
 * Where a record lies in its store: owner, type and id as bytes. IndexedDB writes every key several times (the row, each
 * of its index entries, the undo of each) and text at two bytes a letter, so that three texts of 90 letters make a first
 * pull write twice as much as the records weigh.
 */
export type RecordKey = Uint8Array<ArrayBuffer>;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID_LENGTH = 36;
/** How each part begins; none is the beginning of another, so that no two triples of parts share a key. */
const ID_PART = 1;
const TEXT_PART = 2;
const END = 0;

const DASH = 45;
/** The value of a hexadecimal digit by its character code. */
const digit = (code: number): number => (code < 58 ? code - 48 : code - 87);

/** Lays the 16 bytes of a UUID down from `at`. */
function writeId(into: Uint8Array, at: number, id: string): void {
  let place = at;
  for (let index = 0; index < ID_LENGTH; index += 2) {
    if (id.charCodeAt(index) === DASH) index += 1;
    into[place] = digit(id.charCodeAt(index)) * 16 + digit(id.charCodeAt(index + 1));
    place += 1;
  }
}

function partOf(text: string): RecordKey {
  if (ID.test(text)) {
    const part = new Uint8Array(17);
    part[0] = ID_PART;
    writeId(part, 1, text);
    return part;
  }
  const bytes = new TextEncoder().encode(text);
  const part = new Uint8Array(bytes.length + 2);
  part[0] = TEXT_PART;
  part.set(bytes, 1);
  part[bytes.length + 1] = END;
  return part;
}

function joined(...parts: RecordKey[]): RecordKey {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The beginnings of keys this session has used, by owner and type. */
const prefixes = new Map<string, RecordKey>();

function prefixOf(owner: string, type: string): RecordKey {
  const name = `${owner}\0${type}`;
  const known = prefixes.get(name);
  if (known) return known;
  const prefix = joined(partOf(owner), partOf(type));
  prefixes.set(name, prefix);
  return prefix;
}

/** The key of a record. @param owner '' for what belongs to the device */
export function keyAt(owner: string, type: string, id: string): RecordKey {
  const prefix = prefixOf(owner, type);
  if (!ID.test(id)) return joined(prefix, partOf(id));
  const key = new Uint8Array(prefix.length + 17);
  key.set(prefix);
  key[prefix.length] = ID_PART;
  writeId(key, prefix.length + 1, id);
  return key;
}

export const keyOf = ({ owner, type, id }: { owner: string; type: string; id: string }): RecordKey =>
  keyAt(owner, type, id);

/** Bytes no part begins with: sorts after every key that starts the same. */
const after = (prefix: RecordKey): RecordKey => joined(prefix, new Uint8Array([0xff]));

/** All records of one type of one person. */
export const typeRange = (owner: string, type: string): IDBKeyRange => {
  const prefix = prefixOf(owner, type);
  return IDBKeyRange.bound(prefix, after(prefix));
};

/** All records of one person whose type begins so. */
export const typesRange = (owner: string, beginning: string): IDBKeyRange => {
  const prefix = joined(partOf(owner), new Uint8Array([TEXT_PART]), new TextEncoder().encode(beginning));
  return IDBKeyRange.bound(prefix, after(prefix));
};

/** All records of one person in a store of records. */
export const recordsOf = (owner: string): IDBKeyRange => {
  const prefix = partOf(owner);
  return IDBKeyRange.bound(prefix, after(prefix));
};

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The id in a key of `typeRange(owner, type)`. @param key as a store gives it back: the bytes without a view on them */
export function idIn(key: ArrayBuffer, owner: string, type: string): string {
  const part = new Uint8Array(key, prefixOf(owner, type).length);
  if (part[0] !== ID_PART) return new TextDecoder().decode(part.subarray(1, -1));
  const text = Array.from(part.subarray(1), byte => hex[byte]).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
