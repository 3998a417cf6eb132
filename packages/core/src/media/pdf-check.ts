import type { DocumentProblem } from './document-kind.ts';
import { endsAsZip, inflated, UnpackedTooLarge } from './zip-entries.ts';

/** bytes; all packed objects of a PDF together. */
const MOST_OBJECTS = 60_000_000;
/** Readers look for the end mark so far from the end (bytes). */
const TAIL = 2048;

/** Names that start something or hand something out where a PDF is opened (ISO 32000-2, 12.6.4, 12.7.8, 7.11.4, 13.7). */
const ACTIVE = /\/(JavaScript|JS|Launch|RichMedia|SubmitForm|ImportData|EmbeddedFiles?|XFA)(?![\w.+-])/;
const ENCRYPTED = /\/Encrypt(?![\w.+-])/;
const HASH = 0x23;
const valueOf = (digit: number): number => {
  if (digit >= 0x30 && digit <= 0x39) return digit - 0x30;
  const letter = digit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** A name may be spelled in numbers: /J#61vaScript. By bytes: a file may be nothing but such numbers, millions of them. */
function spelledOut(text: string): string {
  if (!text.includes('#')) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const [high, low] = [valueOf(text.charCodeAt(at + 1)), valueOf(text.charCodeAt(at + 2))];
    const isNumber = text.charCodeAt(at) === HASH && high >= 0 && low >= 0;
    bytes[length] = isNumber ? high * 16 + low : text.charCodeAt(at);
    length += 1;
    if (isNumber) at += 2;
  }
  return latin(bytes.subarray(0, length));
}

/** Each byte as one letter, so that places stay the same; what is looked for is ASCII. */
const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

type Stream = { dictionary: string; from: number; to: number };

/** What stands between streams, and the streams with the dictionary before each: their bytes are no names. */
function partsOf(text: string): { objects: string; streams: Stream[] } {
  const between: string[] = [];
  const streams: Stream[] = [];
  const begin = /stream\r?\n/g;
  let at = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    // "endstream" ends in the same letters.
    if (text.slice(found.index - 3, found.index) === 'end') continue;
    const end = text.indexOf('endstream', begin.lastIndex);
    if (end === -1) break;
    const before = text.slice(at, found.index);
    between.push(before);
    streams.push({ dictionary: before.slice(Math.max(0, before.lastIndexOf(' obj'))), from: begin.lastIndex, to: end });
    at = end;
    begin.lastIndex = end + 'endstream'.length;
  }
  return { objects: [...between, text.slice(at)].join('\n'), streams };
}

/** zlib takes nothing behind its end; writers put a line break there. */
function withoutBreak(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1;
  return bytes.subarray(0, end);
}

/** Objects that are packed into streams, as text. @throws {TypeError} where one cannot be unpacked */
async function packedObjects(bytes: Uint8Array, streams: readonly Stream[]): Promise<string> {
  const texts: string[] = [];
  let left = MOST_OBJECTS;
  for (const { dictionary, from, to } of streams) {
    // Gaps made one: a pattern that allows any number of them twice tries each division.
    const words = spelledOut(dictionary).replaceAll(/\s+/g, ' ');
    if (!/\/ObjStm(?!\w)/.test(words)) continue;
    const isPlain = !/\/Filter/.test(words);
    if (!isPlain && !/\/Filter ?\[? ?\/FlateDecode ?\]? ?(\/(?!DecodeParms)|>>)/.test(words))
      throw new TypeError('objects are packed in a way nobody uses');
    const body = bytes.subarray(from, to);
    const text = isPlain ? body : await unpacked(body, left);
    left -= text.length;
    texts.push(latin(text));
  }
  return texts.join('\n');
}

/** A break that belongs to the packed bytes is as likely as one behind them. */
async function unpacked(body: Uint8Array, most: number): Promise<Uint8Array> {
  try {
    return await inflated(body, 'deflate', most);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return inflated(withoutBreak(body), 'deflate', most);
  }
}

/**
 * Why bytes that begin as a PDF are not taken as one; null where they are. Names are looked for where objects stand, also where they
 * are packed; what a reader draws is looked at by nobody here.
 */
export async function pdfProblem(bytes: Uint8Array): Promise<DocumentProblem | null> {
  const text = latin(bytes);
  if (!text.slice(-TAIL).includes('%%EOF')) return 'damaged';
  // Two things at once: a PDF for whoever looks at its beginning, an archive for whoever looks at its end; or a page.
  if (endsAsZip(bytes) || /<(!doctype|html|script|svg|body)\b/i.test(text.slice(0, TAIL))) return 'damaged';
  const { objects, streams } = partsOf(text);
  const words = spelledOut(objects);
  if (ENCRYPTED.test(words)) return 'encrypted';
  try {
    const packed = spelledOut(await packedObjects(bytes, streams));
    return ACTIVE.test(words) || ACTIVE.test(packed) ? 'active' : null;
  } catch (error) {
    if (error instanceof UnpackedTooLarge) return 'bomb';
    if (error instanceof TypeError) return 'damaged';
    throw error;
  }
}
