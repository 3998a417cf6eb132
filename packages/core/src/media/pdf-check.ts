import type { DocumentProblem } from './document-kind.ts';
import { DecodedTooLarge } from './pdf-filters.ts';
import { isActive, isEncrypted, latin, namesActive, namesEncryption } from './pdf-names.ts';
import { ActiveContent, StreamReader, UnreadableStream } from './pdf-streams.ts';
import { endsAsZip } from './zip-entries.ts';

/** Readers look for the end mark so far from the end (bytes). */
const TAIL = 2048;
/** A PDF of 2,000 pages has some 20,000. */
const MAX_STREAMS = 60_000;

type Parts = { objects: string; insides: string[] };

/** What stands between streams, and what stands in them, as most readers see it. */
function partsOf(text: string): Parts {
  const [between, insides]: [string[], string[]] = [[], []];
  const begin = /stream\r?\n/g;
  let at = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    // "endstream" ends in the same letters.
    if (text.slice(found.index - 3, found.index) === 'end') continue;
    const end = text.indexOf('endstream', begin.lastIndex);
    if (end === -1) break;
    between.push(text.slice(at, found.index));
    insides.push(text.slice(begin.lastIndex, end));
    at = end;
    begin.lastIndex = end + 'endstream'.length;
  }
  return { objects: [...between, text.slice(at)].join('\n'), insides };
}

/** Wherever the word stands a reader may find a stream: also in a comment, in a text, in another stream. */
function streamText(text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf('stream'); at >= 0; at = text.indexOf('stream', at + 6))
    if (text.slice(at - 3, at) !== 'end') places.push(at);
  return places;
}

/** Names in the file as it lies there, whatever its structure says: places in it are counted by each reader for itself. */
function inPlain({ objects, insides }: Parts): DocumentProblem | null {
  if (namesEncryption(objects) || insides.some(isEncrypted)) return 'encrypted';
  return namesActive(objects, 'objects') || insides.some(each => isActive(each, 'other')) ? 'active' : null;
}

function inStreams(bytes: Uint8Array, text: string): DocumentProblem | null {
  const places = streamText(text);
  if (places.length > MAX_STREAMS) return 'bomb';
  try {
    const reader = new StreamReader(bytes, text);
    let before = 0;
    for (const place of places) {
      reader.look(text.slice(before, place), place);
      before = place;
    }
    return null;
  } catch (error) {
    if (error instanceof ActiveContent) return 'active';
    if (error instanceof DecodedTooLarge) return 'bomb';
    if (error instanceof UnreadableStream) return 'damaged';
    throw error;
  }
}

/**
 * Why bytes that begin as a PDF are not taken as one; null where they are. Names are looked for in the file as it lies there and in all
 * that is packed in it, wherever a reader could begin to unpack; what cannot be unpacked is refused.
 */
export function pdfProblem(bytes: Uint8Array): DocumentProblem | null {
  const text = latin(bytes);
  if (!text.slice(-TAIL).includes('%%EOF')) return 'damaged';
  // Two things at once: a PDF for whoever looks at its beginning, an archive for whoever looks at its end; or a page.
  if (endsAsZip(bytes) || /<(!doctype|html|script|svg|body)\b/i.test(text.slice(0, TAIL))) return 'damaged';
  return inPlain(partsOf(text)) ?? inStreams(bytes, text);
}
