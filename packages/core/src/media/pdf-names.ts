import { hexValue } from './pdf-filters.ts';

/** Names that start something or hand something out where a PDF is opened (ISO 32000-2, 12.6.4, 12.7.8, 7.11.4, 13.2, 13.7). */
const LONG = 'JavaScript|Launch|RichMedia|Rendition|SubmitForm|ImportData|EmbeddedFiles?';
const ENDS = '(?![\\w.+-])';
const ACTIVE = new RegExp(`/(${LONG}|JS|XFA)${ENDS}`);
/** Those that no noise spells by chance: a picture of 25 MB holds "/JS" as likely as not, and /JS does nothing without one of these. */
const ACTIVE_ANYWHERE = new RegExp(`/(${LONG})${ENDS}`);
const ENCRYPTED = /\/Encrypt(?![\w.+-])/;

const HASH = 0x23;

/** Each byte as one letter, so that places stay the same; what is looked for is ASCII. */
export const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** A name may be spelled in numbers: /J#61vaScript. By bytes: a file may be nothing but such numbers, millions of them. */
export function spelledOut(text: string): string {
  if (!text.includes('#')) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const [high, low] = [hexValue(text.charCodeAt(at + 1)), hexValue(text.charCodeAt(at + 2))];
    const isNumber = text.charCodeAt(at) === HASH && high >= 0 && low >= 0;
    bytes[length] = isNumber ? high * 16 + low : text.charCodeAt(at);
    length += 1;
    if (isNumber) at += 2;
  }
  return latin(bytes.subarray(0, length));
}

/** Ends a comment. */
const LINE_END = /[\r\n]/g;

/**
 * Without texts that are drawn, e.g. `(Start/Launch)`. A text that holds angles or an object's mark stays: for whoever counts from
 * another place, or reads a string in hexadecimal digits around it, it is no text.
 */
function withoutTexts(text: string): string {
  const kept: string[] = [];
  let [depth, begin, from] = [0, 0, 0];
  const marks = /\\[^]|[()%]/g;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '%' && depth === 0) {
      LINE_END.lastIndex = mark.index;
      marks.lastIndex = LINE_END.exec(text)?.index ?? text.length;
    } else if (mark[0] === '(') {
      if (depth === 0) begin = mark.index;
      depth += 1;
    } else if (mark[0] === ')' && depth > 0) {
      depth -= 1;
      if (depth > 0 || /[<>]|(?<![a-z])obj(?![a-z])/i.test(text.slice(begin, mark.index))) continue;
      kept.push(text.slice(from, begin));
      from = mark.index + 1;
    }
  }
  return [...kept, text.slice(from)].join(' ');
}

/** `objects`: as between streams, where every such name counts; `other`: names that no noise spells. */
type Kind = 'objects' | 'other';

/** Whether a name stands there, in a text or not. */
export const namesActive = (text: string, kind: Kind): boolean =>
  (kind === 'objects' ? ACTIVE : ACTIVE_ANYWHERE).test(spelledOut(text));
/** Whether a name stands there outside of texts. */
export const isActive = (text: string, kind: Kind): boolean =>
  namesActive(text, kind) && namesActive(withoutTexts(text), kind);

export const namesEncryption = (text: string): boolean => ENCRYPTED.test(spelledOut(text));
export const isEncrypted = (text: string): boolean => namesEncryption(text) && namesEncryption(withoutTexts(text));

/** How long a name can be that is spelled in numbers throughout. */
export const MAX_NAME_LENGTH = 64;
