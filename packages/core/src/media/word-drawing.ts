import { DocumentError } from './word-problem.ts';
import { onlyChild, type WordElement } from './word-xml.ts';

const localName = (name: string): string => name.slice(name.search(/[^:}]*$/));

/** Where a picture lies, by the id it is shown by. */
export type Targets = ReadonlyMap<string, string>;

const pictureAt = (targets: Targets, id: string | undefined): string[] =>
  id ? [`picture ${targets.get(id) ?? id}`] : [];

/** Drawings that hold words, or show data, in a part of their own. */
const OWN_PART = /chart|diagram|lockedCanvas|slicer|ole/i;

/** What one element itself shows: words, a picture, a diagram. */
function ownTokens({ name, attributes, text }: WordElement, targets: Targets): string[] {
  if (localName(name) === 't') return [text];
  if (name === 'a:blip') return ['r:embed', 'r:link'].flatMap(each => pictureAt(targets, attributes.get(each)));
  if (name === 'v:imagedata') return pictureAt(targets, attributes.get('r:id'));
  if (name === 'w:sym') return [`symbol ${attributes.get('w:char') ?? ''}`];
  if (name === 'v:textpath') return [attributes.get('string') ?? ''];
  // A drawing beside the picture, which Word shows in its place.
  if (localName(name) === 'svgBlip') return ['drawing'];
  const uri = attributes.get('uri') ?? '';
  return name === 'a:graphicData' && OWN_PART.test(uri) ? [uri] : [];
}

/** All that is shown in an element: words and pictures in their order. */
export function tokensOf(element: WordElement, targets: Targets): string[] {
  const own = ownTokens(element, targets).filter(each => each.trim() !== '');
  return [...own, ...element.children.flatMap(each => tokensOf(each, targets))];
}

export const wordsOf = (element: WordElement): string => tokensOf(element, new Map()).join('').replaceAll(/\s+/g, ' ');

/** Every element below that is called so, the outermost only. */
export function outermost(element: WordElement, name: string): WordElement[] {
  return element.children.flatMap(each => (each.name === name ? [each] : outermost(each, name)));
}

function holdsMark(element: WordElement, name: string): boolean {
  return outermost(element, name).some(each => /^(1|true|on)$/i.test(each.attributes.get('hidden') ?? ''));
}

/** Not shown in Word, by a mark of the drawing or by the style of an older one. */
export function isHiddenDrawing(element: WordElement): boolean {
  const style = element.attributes.get('style') ?? '';
  return /visibility\s*:\s*hidden|display\s*:\s*none/i.test(style) || holdsMark(element, 'wp:docPr');
}

/** The pictures of a drawing that the converter shows (`body-reader.js`, readDrawingElement). */
function plainPictures(drawing: WordElement): WordElement[] {
  let found = [...drawing.children].filter(({ name }) => name === 'wp:inline' || name === 'wp:anchor');
  for (const step of ['a:graphic', 'a:graphicData', 'pic:pic', 'pic:blipFill', 'a:blip'])
    found = found.flatMap(each => each.children.filter(({ name }) => name === step));
  return found;
}

/**
 * A drawing that has no other variant: the converter shows its pictures and nothing else.
 *
 * @throws {DocumentError} for words, diagrams and pictures of groups; `hidden` for what Word does not show
 */
export function checkDrawing(drawing: WordElement, targets: Targets): void {
  if (isHiddenDrawing(drawing)) throw new DocumentError('hidden', 'a drawing');
  const shown = plainPictures(drawing).flatMap(each => ownTokens(each, targets));
  const all = tokensOf(drawing, targets);
  if (all.length !== shown.length) throw new DocumentError('unshown', 'a drawing with words, or of several parts');
}

/**
 * Two ways to show the same: Word takes the first it knows (`Choice`), the converter the last (`Fallback`).
 *
 * @returns what the converter shows
 * @throws {DocumentError} `variants` where they hold different words or pictures
 */
export function sameVariants(element: WordElement, targets: Targets): WordElement | undefined {
  const fallback = onlyChild(element, 'mc:Fallback');
  const shown = fallback ? tokensOf(fallback, targets) : [];
  for (const each of element.children) {
    if (each === fallback) continue;
    if (each.name !== 'mc:Choice') throw new DocumentError('damaged', `${each.name} among variants`);
    const other = tokensOf(each, targets);
    if (other.join('\n') !== shown.join('\n')) throw new DocumentError('variants', 'other words or pictures');
    if (isHiddenDrawing(each)) throw new DocumentError('hidden', 'a drawing');
  }
  return fallback;
}

/** Symbols that the converter knows, by the fonts they are drawn in (dingbat-to-unicode). */
export const isKnownSymbol = (symbol: WordElement): boolean =>
  /^(symbol|webdings|wingdings( [23])?)$/i.test(symbol.attributes.get('w:font') ?? '') &&
  /^(F0)?[0-9a-f]{2}$/i.test(symbol.attributes.get('w:char') ?? '');
