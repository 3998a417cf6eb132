import type { DocumentProblem } from './document-kind.ts';
import { checkBody, checkNotes, type DocumentReader } from './word-content.ts';
import { outermost } from './word-drawing.ts';
import { Fields } from './word-fields.ts';
import { checkNumbering } from './word-numbering.ts';
import {
  relationshipsIn,
  relationshipsOf,
  targetsById,
  wordParts,
  type ReadPart,
  type WordParts,
} from './word-parts.ts';
import { DocumentError } from './word-problem.ts';
import { stylesIn } from './word-styles.ts';
import { readWordXml } from './word-xml.ts';
import { measureEntry, UnpackedTooLarge, unpackedEntry, zipEntries, type ZipEntry } from './zip-entries.ts';

const MAX_ZIP_ENTRIES = 2000;
/** bytes; all entries together. */
const MAX_UNPACKED_BYTES = 150_000_000;
/** bytes; the largest part that is words: a thousand pages have about a tenth. */
const MAX_PART_BYTES = 40_000_000;
/** How many times larger the whole may become; below this size nobody minds. Text packs to about a tenth. */
const MAX_UNPACK_RATIO = 100;
const SMALL = 10_000_000;

const isMarkup = (name: string): boolean => /\.(xml|rels)$/i.test(name);
const isMacro = (name: string): boolean => /vba(project|data)|(^|\/)activex\/|macrosheets?\//i.test(name);
/** Also names that a reader puts in order first: then they are the name of another entry. */
const leadsOut = (name: string): boolean =>
  /[\\\0]/.test(name) ||
  name
    .replace(/\/$/, '')
    .split('/')
    .some(each => each === '' || each === '.' || each === '..');

function announced(entries: readonly ZipEntry[], size: number): DocumentProblem | null {
  if (entries.some(({ isEncrypted }) => isEncrypted)) return 'encrypted';
  if (entries.some(({ name }) => isMacro(name))) return 'macros';
  const unpacked = entries.reduce((sum, each) => sum + each.unpacked, 0);
  if (unpacked > MAX_UNPACKED_BYTES || (unpacked > SMALL && unpacked > size * MAX_UNPACK_RATIO)) return 'bomb';
  if (entries.some(each => isMarkup(each.name) && each.unpacked > MAX_PART_BYTES)) return 'bomb';
  // Word takes letters of both sizes in a name as one.
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  if (!names.has('[content_types].xml')) return 'unknown';
  return names.size < entries.length || entries.some(({ name }) => leadsOut(name)) ? 'damaged' : null;
}

/** Reads each part at most once at a time; what was read is noted. */
function partReader(bytes: Uint8Array, entries: readonly ZipEntry[], read: Set<string>): ReadPart {
  const byName = new Map(entries.map(each => [each.name, each]));
  return async name => {
    const entry = byName.get(name);
    if (!entry) return null;
    read.add(name);
    return readWordXml(await unpackedEntry(bytes, entry));
  };
}

/** Every part says for itself what it leads to, also one that nobody reads here. */
async function checkRelationships(names: ReadonlySet<string>, read: ReadPart): Promise<void> {
  for (const name of names) if (/\.rels$/i.test(name)) relationshipsIn(await read(name));
}

/** The words, part by part: no more than one of them is held at a time. */
async function checkWords(parts: WordParts, read: ReadPart): Promise<void> {
  const partAt = async (name: string | null) => (name === null ? null : read(name));
  const settings = await partAt(parts.settings);
  const areStale = settings !== null && outermost(settings, 'w:updateFields').length > 0;
  const styles = stylesIn(await partAt(parts.styles));
  const numbering = await partAt(parts.numbering);
  if (numbering) checkNumbering(numbering);
  const readingOf = async (name: string): Promise<DocumentReader> => {
    const targets = targetsById(relationshipsIn(await read(relationshipsOf(name))));
    return { styles, targets, fields: new Fields(areStale) };
  };
  for (const name of [parts.footnotes, parts.endnotes]) {
    const notes = await partAt(name);
    if (name !== null && notes) checkNotes(notes, await readingOf(name));
  }
  const main = await read(parts.main);
  if (!main) throw new DocumentError('damaged', 'there is no main part');
  checkBody(main, await readingOf(parts.main));
}

async function checkPackage(bytes: Uint8Array, entries: readonly ZipEntry[]): Promise<void> {
  const names = new Set(entries.map(({ name }) => name));
  const wasRead = new Set<string>();
  const read = partReader(bytes, entries, wasRead);
  const parts = await wordParts(read, names);
  await checkRelationships(names, read);
  await checkWords(parts, read);
  // What nobody reads is not kept: that it is as large as it says is all there is to know.
  for (const entry of entries) if (!wasRead.has(entry.name)) await measureEntry(bytes, entry);
}

/** Why a ZIP is not taken as a Word document; null where it is: read as the converter reads it, and of elements that it knows. */
export async function wordProblem(bytes: Uint8Array): Promise<DocumentProblem | null> {
  const entries = zipEntries(bytes, MAX_ZIP_ENTRIES);
  if (!entries) return 'damaged';
  const problem = announced(entries, bytes.length);
  if (problem !== null) return problem;
  try {
    await checkPackage(bytes, entries);
    return null;
  } catch (error) {
    if (error instanceof DocumentError) return error.problem;
    if (error instanceof UnpackedTooLarge) return 'bomb';
    if (error instanceof TypeError) return 'damaged';
    throw error;
  }
}
