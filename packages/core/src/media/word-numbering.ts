import { outermost } from './word-drawing.ts';
import { DocumentError } from './word-problem.ts';
import { onlyChild, type WordElement } from './word-xml.ts';

/** What numbers of headings and lists are called. */
const LABELS = new Set(
  'section article art chapter part annex appendix step table figure fig clause item no nr paragraph phase level exhibit schedule rule artikel abschnitt kapitel teil anhang anlage schritt tabelle abbildung abb tab ziffer punkt absatz abs regel stufe'.split(
    ' ',
  ),
);

/**
 * Lists are shown here with their numbers, and without what Word writes around these.
 *
 * @throws {DocumentError} `unshown` where that is words other than what numbers are called
 */
export function checkNumbering(numbering: WordElement): void {
  for (const level of outermost(numbering, 'w:lvl')) {
    const text = onlyChild(level, 'w:lvlText')?.attributes.get('w:val') ?? '';
    const words = text.replaceAll(/%\d/g, ' ').match(/\p{L}{2,}/gu) ?? [];
    if (words.some(each => !LABELS.has(each.toLowerCase())))
      throw new DocumentError('unshown', `a list numbered "${text}"`);
  }
}
