import { DocumentError } from './word-problem.ts';

/** A field while it is open: its code up to `separate`, what it showed last behind it. */
type OpenField = { code: string; isInResult: boolean; isStale: boolean };

/** Put something in from elsewhere, or start another program for it. */
const FETCHING = new Set(['INCLUDETEXT', 'INCLUDE', 'LINK', 'DDE', 'DDEAUTO', 'DATABASE', 'IMPORT', 'RD']);
/** Word draws these from their code whenever they are shown; the converter does not. */
const DRAWN = new Set(
  'SYMBOL EQ ADVANCE MACROBUTTON GOTOBUTTON LISTNUM AUTONUM AUTONUMLGL AUTONUMOUT FORMDROPDOWN BARCODE DISPLAYBARCODE'.split(
    ' ',
  ),
);
/** Show nothing: entries of an index, what is noted for later. */
const SILENT = new Set(['XE', 'TC', 'TA', 'SET', 'PRIVATE', 'BOOKMARK', 'ASK', 'FORMCHECKBOX', 'ADDIN']);
/** What they show anew comes of the document's own pages and headings. */
const COUNTED = new Set(
  'TOC TOA INDEX PAGE PAGEREF NUMPAGES SECTIONPAGES SECTION SEQ REF NOTEREF STYLEREF HYPERLINK'.split(' '),
);

const typeOf = (code: string): string => /^\s*(\S*)/.exec(code)?.[1]?.toUpperCase() ?? '';

/** @throws {DocumentError} for a field whose words Word makes anew, or from elsewhere */
export function judgeField(code: string, hasResult: boolean, isStale: boolean): void {
  const type = typeOf(code);
  if (FETCHING.has(type)) throw new DocumentError('active', `the field ${type}`);
  if (DRAWN.has(type)) throw new DocumentError('unshown', `the field ${type}`);
  if (!hasResult && !SILENT.has(type)) throw new DocumentError('unshown', `the field ${type} without what it shows`);
  if (hasResult && isStale && !COUNTED.has(type)) throw new DocumentError('unshown', `the field ${type} is made anew`);
}

/** A label that captions begin with: what stands there besides is a number the reader does not need. */
const CAPTION = /^(figure|table|equation|fig|tab|abbildung|tabelle|formel|abb)\.?\s*$/i;

/** A number of a caption in the short form of fields, which the converter leaves out. */
export const isCaptionNumber = (code: string, before: string, words: string): boolean =>
  typeOf(code) === 'SEQ' && /^\d{1,4}$/.test(words) && CAPTION.test(before.trim());

/** Fields from mark to mark, over paragraphs. Words of a code are not shown in Word. */
export class Fields {
  private readonly open: OpenField[] = [];
  private readonly areStale: boolean;

  /** @param areStale whether Word makes all of them anew when it opens the file */
  constructor(areStale: boolean) {
    this.areStale = areStale;
  }

  /** Whether what stands here is code. */
  get isCode(): boolean {
    return this.open.some(({ isInResult }) => !isInResult);
  }

  begin(isStale: boolean): void {
    this.open.push({ code: '', isInResult: false, isStale: isStale || this.areStale });
  }

  say(text: string): void {
    const last = this.open.at(-1);
    if (last && !last.isInResult) last.code += text;
  }

  separate(): void {
    const last = this.open.at(-1);
    if (!last || last.isInResult) throw new DocumentError('damaged', 'a field goes on that has not begun');
    judgeField(last.code, true, last.isStale);
    last.isInResult = true;
  }

  end(): void {
    const last = this.open.pop();
    if (!last) throw new DocumentError('damaged', 'a field ends that has not begun');
    if (!last.isInResult) judgeField(last.code, false, last.isStale);
  }

  /** @throws {DocumentError} where one never ends: Word and the converter disagree on what is its code */
  close(): void {
    if (this.open.length > 0) throw new DocumentError('damaged', 'a field never ends');
  }
}
