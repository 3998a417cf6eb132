import type { DocumentProblem } from './document-kind.ts';
import { UnpackedTooLarge, unpackedEntry, zipEntries, type ZipEntry } from './zip-entries.ts';

const MOST_ENTRIES = 2000;
/** bytes; all entries together. */
const MOST_UNPACKED = 150_000_000;
/** bytes; the largest part that is words: a thousand pages have about a tenth. */
const MOST_PART = 40_000_000;
/** How many times larger the whole may become; below this size nobody minds. Text packs to about a tenth. */
const MOST_RATIO = 100;
const SMALL = 10_000_000;

const isMarkup = (name: string): boolean => /\.(xml|rels)$/i.test(name);
const isMacro = (name: string): boolean => /vba(project|data)|(^|\/)activex\/|macrosheets?\//i.test(name);
const leadsOut = (name: string): boolean => /^[/\\]|(^|[/\\])\.\.([/\\]|$)|\\|\0/.test(name);

/** What Word opens or starts by itself from somewhere else; links a person taps and pictures are not among them. */
const FETCHED = /relationships\/(attachedTemplate|oleObject|frame|subDocument|control|externalLinkPath)"/i;
const isFetching = (rels: string): boolean =>
  tagsIn(rels).some(each => /TargetMode\s*=\s*["']External/i.test(each) && FETCHED.test(each.replaceAll("'", '"')));

/** From each beginning to the next `>`; what never ends is no tag. A pattern would look for the end anew from each beginning. */
function tagsIn(rels: string): string[] {
  const tags: string[] = [];
  const begin = /<Relationship\b/gi;
  for (let found = begin.exec(rels); found; found = begin.exec(rels)) {
    const end = rels.indexOf('>', found.index);
    if (end === -1) break;
    tags.push(rels.slice(found.index, end + 1));
    begin.lastIndex = end;
  }
  return tags;
}

function announced(entries: readonly ZipEntry[], size: number): DocumentProblem | null {
  if (entries.some(({ isEncrypted }) => isEncrypted)) return 'encrypted';
  if (entries.some(({ name }) => isMacro(name))) return 'macros';
  const unpacked = entries.reduce((sum, each) => sum + each.unpacked, 0);
  if (unpacked > MOST_UNPACKED || (unpacked > SMALL && unpacked > size * MOST_RATIO)) return 'bomb';
  if (entries.some(each => isMarkup(each.name) && each.unpacked > MOST_PART)) return 'bomb';
  const names = new Set(entries.map(({ name }) => name));
  const isWord = names.has('[Content_Types].xml') && names.has('word/document.xml');
  if (!isWord) return 'unknown';
  return names.size < entries.length || entries.some(({ name }) => leadsOut(name)) ? 'damaged' : null;
}

/** Parts whose words are shown. */
const isRead = (name: string): boolean => /^word\/(document|footnotes|endnotes)\.xml$/.test(name);
/** Not the borders inside a table (`w:insideH`), nor where a moved range begins. */
const CHANGE = /<w:(?:ins|del|moveFrom|moveTo)[\s/>]/;
const HIDDEN = /<w:vanish(?:\s+w:val="(?!(?:0|false|off)")[^"]*")?\s*\/>/;

/** Words that Word does not show and a reader here would see. A run is looked at as far as it goes; hidden codes of fields hold no words. */
const hidesWords = (text: string): boolean =>
  text.split('</w:r>').some(piece => {
    if (!piece.includes('<w:vanish') || !/<w:t[\s>]/.test(piece)) return false;
    const run = piece.slice(Math.max(0, piece.lastIndexOf('<w:r>'), piece.lastIndexOf('<w:r ')));
    return HIDDEN.test(run) && /<w:t[\s>]/.test(run);
  });

/** What would be read otherwise here than in Word: changes nobody has accepted count as accepted, hidden words show, formulas are gone. */
function readOtherwise(text: string): DocumentProblem | null {
  if (CHANGE.test(text)) return 'changes';
  if (hidesWords(text)) return 'hidden';
  return /<m:t[\s>]/.test(text) ? 'formulas' : null;
}

function inMarkup(name: string, text: string): DocumentProblem | null {
  // Entities that stand for each other unpack without end; no writer of Word files uses any.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return 'bomb';
  if (name === '[Content_Types].xml') {
    if (/macroEnabled|vbaProject|activeX/i.test(text)) return 'macros';
    if (!/wordprocessingml\.document\.main\+xml/.test(text)) return 'unknown';
  }
  if (name.endsWith('.rels') && isFetching(text)) return 'active';
  return isRead(name) ? readOtherwise(text) : null;
}

/** Text of a part, in the encodings XML has. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Why a ZIP is not taken as a Word document; null where it is. Each entry is unpacked, with a limit, and looked at. */
export async function wordProblem(bytes: Uint8Array): Promise<DocumentProblem | null> {
  const entries = zipEntries(bytes, MOST_ENTRIES);
  if (!entries) return 'damaged';
  const problem = announced(entries, bytes.length);
  if (problem !== null) return problem;
  for (const entry of entries) {
    try {
      const part = await unpackedEntry(bytes, entry);
      const found = isMarkup(entry.name) ? inMarkup(entry.name, decoded(part)) : null;
      if (found !== null) return found;
    } catch (error) {
      if (error instanceof UnpackedTooLarge) return 'bomb';
      if (error instanceof TypeError) return 'damaged';
      throw error;
    }
  }
  return null;
}
