import {
  checkDrawing,
  isHiddenDrawing,
  isKnownSymbol,
  sameVariants,
  tokensOf,
  wordsOf,
  outermost,
  type Targets,
} from './word-drawing.ts';
import { Fields, isCaptionNumber, judgeField } from './word-fields.ts';
import { DocumentError } from './word-problem.ts';
import type { Styles } from './word-styles.ts';
import { childrenCalled, onlyChild, switchIn, type WordElement } from './word-xml.ts';

export type DocumentReader = { styles: Styles; targets: Targets; fields: Fields };
/** The styles around: of tables and of the paragraph. */
type RunContext = { styles: readonly string[]; run: WordElement | undefined };

const named = (names: string): ReadonlySet<string> => new Set(names.split(' ').map(each => `w:${each}`));

const CHANGES = named(
  'ins del moveFrom moveTo cellIns cellDel cellMerge delText delInstrText customXmlInsRangeStart customXmlDelRangeStart customXmlMoveFromRangeStart customXmlMoveToRangeStart',
);
/** Hold what is shown, and show nothing themselves. */
const WRAPPERS = named('hyperlink customXml smartTag tr txbxContent');
/** How something looks, and marks between words: nothing that is read. */
const SILENT = named(
  'pPr rPr tblPr tblPrEx tblGrid trPr tcPr sectPr sdtPr sdtEndPr customXmlPr smartTagPr bookmarkStart bookmarkEnd proofErr permStart permEnd lastRenderedPageBreak commentRangeStart commentRangeEnd commentReference annotationRef footnoteRef endnoteRef footnoteReference endnoteReference separator continuationSeparator moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd fldData tab br cr noBreakHyphen softHyphen ptab',
);
const PROPERTIES = named('pPr rPr tblPr tblPrEx trPr tcPr sectPr sdtPr');
/** Older drawings that the converter goes through; of others it shows nothing. */
const SHAPES = new Set(['v:roundrect', 'v:shape', 'v:textbox', 'v:group', 'v:rect']);

/** Pieces of a paragraph before the number of a caption. */
const MAX_BEFORE = 12;

function refuseChanges(properties: WordElement): void {
  for (const each of properties.children) {
    if (CHANGES.has(each.name)) throw new DocumentError('changes', each.name);
    if (each.name.startsWith('mc:')) throw new DocumentError('variants', 'how something looks is said twice');
    if (each.name === 'w:hMerge') throw new DocumentError('unshown', each.name);
    refuseChanges(each);
  }
}

const valueIn = (properties: WordElement | undefined, name: string): string[] => {
  const value = onlyChild(properties, name)?.attributes.get('w:val');
  return value ? [value] : [];
};

/** A paragraph is a run's style and its own, whatever stands between them. */
function checkRun(run: WordElement, place: RunContext, reading: DocumentReader): void {
  onlyChild(run, 'w:rPr');
  checkAll(run.children, { ...place, run }, reading);
}

/** @throws {DocumentError} where Word would not show what stands at this place, or would show it struck through */
function checkShown({ styles, run }: RunContext, reading: DocumentReader): void {
  if (reading.fields.isCode) throw new DocumentError('hidden', 'words in the code of a field');
  const properties = onlyChild(run, 'w:rPr');
  const look = reading.styles.lookOf([...styles, ...valueIn(properties, 'w:rStyle')], properties);
  if (look.hidden) throw new DocumentError('hidden', 'a run');
  // The converter strikes what the run itself says is struck by one line.
  if (look.struck && switchIn(properties, 'w:strike') !== true)
    throw new DocumentError('unshown', 'struck through by a style');
}

function checkControl(control: WordElement, place: RunContext, reading: DocumentReader): void {
  const properties = onlyChild(control, 'w:sdtPr');
  if (properties && isBound(properties)) throw new DocumentError('linked', 'a control takes its words from elsewhere');
  const content = onlyChild(control, 'w:sdtContent');
  if (!content) return;
  // The converter puts a box in the place of the first words of such a control.
  if (onlyChild(properties, 'wordml:checkbox') && wordsOf(content).trim().length > 2)
    throw new DocumentError('unshown', 'words in a box to tick');
  checkAll(content.children, place, reading);
}

const isBound = (element: WordElement): boolean =>
  element.children.some(each => /databinding$/i.test(each.name) || isBound(each));

function checkFieldMark(mark: WordElement, { fields }: DocumentReader): void {
  const type = mark.attributes.get('w:fldCharType');
  if (type === 'begin') fields.begin(/^(1|true|on)$/i.test(mark.attributes.get('w:dirty') ?? ''));
  else if (type === 'separate') fields.separate();
  else if (type === 'end') fields.end();
  else throw new DocumentError('damaged', `a field's mark of the type ${type}`);
}

/** The short form of a field: the converter leaves out what it shows. */
function checkShortField(field: WordElement, before: string, reading: DocumentReader): void {
  const code = field.attributes.get('w:instr') ?? '';
  judgeField(code, true, false);
  const shown = tokensOf(field, reading.targets).join('').trim();
  if (shown !== '' && !isCaptionNumber(code, before, shown)) throw new DocumentError('unshown', `the field ${code}`);
}

function checkParagraph(paragraph: WordElement, place: RunContext, reading: DocumentReader): void {
  const properties = onlyChild(paragraph, 'w:pPr');
  const inside: RunContext = { styles: [...place.styles, ...valueIn(properties, 'w:pStyle')], run: undefined };
  paragraph.children.forEach((each, index) => {
    if (each.name !== 'w:fldSimple') return check(each, inside, reading);
    // The number of a caption stands near its beginning.
    const before = index > MAX_BEFORE ? '' : paragraph.children.slice(0, index).map(wordsOf).join('');
    return checkShortField(each, before, reading);
  });
}

function checkTable(table: WordElement, place: RunContext, reading: DocumentReader): void {
  const styles = [...place.styles, ...valueIn(onlyChild(table, 'w:tblPr'), 'w:tblStyle')];
  checkAll(table.children, { ...place, styles }, reading);
}

function checkRow(row: WordElement, place: RunContext, reading: DocumentReader): void {
  if (switchIn(onlyChild(row, 'w:trPr'), 'w:hidden') && wordsOf(row) !== '') throw new DocumentError('hidden', 'a row');
  checkAll(row.children, place, reading);
}

function checkVariants(element: WordElement, place: RunContext, reading: DocumentReader): void {
  const fallback = sameVariants(element, reading.targets);
  if (element.children.some(each => each.children.some(({ name }) => PROPERTIES.has(name))))
    throw new DocumentError('variants', 'how something looks is said twice');
  if (fallback) checkAll(fallback.children, place, reading);
  // The same words; but Word may hide them in its own variant.
  for (const choice of childrenCalled(element, 'mc:Choice'))
    for (const box of outermost(choice, 'w:txbxContent')) checkAll(box.children, place, reading);
}

function checkShape(shape: WordElement, place: RunContext, reading: DocumentReader): void {
  if (isHiddenDrawing(shape) && tokensOf(shape, reading.targets).length > 0)
    throw new DocumentError('hidden', shape.name);
  checkAll(shape.children, place, reading);
}

function checkText(text: WordElement, place: RunContext, reading: DocumentReader): void {
  if (text.children.length > 0) throw new DocumentError('damaged', 'elements in a text');
  if (text.text !== '') checkShown(place, reading);
}

function checkSymbol(symbol: WordElement, place: RunContext, reading: DocumentReader): void {
  if (!isKnownSymbol(symbol)) throw new DocumentError('unshown', 'a symbol of a font of its own');
  checkShown(place, reading);
}

function refuseFormula(formula: WordElement): void {
  throw new DocumentError('formulas', formula.name);
}

function refuseInserted({ name }: WordElement): void {
  throw new DocumentError('linked', name);
}

type Checker = (element: WordElement, place: RunContext, reading: DocumentReader) => void;

const CHECKERS: ReadonlyMap<string, Checker> = new Map<string, Checker>([
  ['w:p', checkParagraph],
  ['w:r', checkRun],
  ['w:t', checkText],
  ['w:sym', checkSymbol],
  ['w:tbl', checkTable],
  ['w:tr', checkRow],
  ['w:tc', (cell, place, reading) => checkAll(cell.children, place, reading)],
  ['w:sdt', checkControl],
  ['w:fldChar', (mark, _place, reading) => checkFieldMark(mark, reading)],
  ['w:fldSimple', (field, _place, reading) => checkShortField(field, '', reading)],
  ['w:instrText', (code, _place, reading) => reading.fields.say(code.text)],
  ['w:drawing', (drawing, place, reading) => checkPicture(drawing, place, reading)],
  ['w:pict', checkShape],
  ['w:object', checkShape],
  ['v:imagedata', (_image, place, reading) => checkShown(place, reading)],
  ['mc:AlternateContent', checkVariants],
  ['m:oMath', refuseFormula],
  ['m:oMathPara', refuseFormula],
  ['w:altChunk', refuseInserted],
  ['w:subDoc', refuseInserted],
]);

function checkPicture(drawing: WordElement, place: RunContext, reading: DocumentReader): void {
  checkDrawing(drawing, reading.targets);
  if (tokensOf(drawing, reading.targets).length > 0) checkShown(place, reading);
}

/** Of what nobody knows: in the format's own namespace it may be anything; elsewhere it counts where it shows something. */
function checkUnknown(element: WordElement, reading: DocumentReader): void {
  if (element.name.endsWith(':control')) throw new DocumentError('active', 'a control that runs');
  if (element.name.startsWith('w:') || tokensOf(element, reading.targets).length > 0)
    throw new DocumentError('unshown', element.name);
}

function check(element: WordElement, place: RunContext, reading: DocumentReader): void {
  const { name } = element;
  if (CHANGES.has(name)) throw new DocumentError('changes', name);
  if (PROPERTIES.has(name)) refuseChanges(element);
  const checker = CHECKERS.get(name);
  if (checker) checker(element, place, reading);
  else if (SHAPES.has(name)) checkShape(element, place, reading);
  else if (WRAPPERS.has(name)) checkAll(element.children, place, reading);
  else if (!SILENT.has(name)) checkUnknown(element, reading);
}

function checkAll(elements: readonly WordElement[], place: RunContext, reading: DocumentReader): void {
  for (const each of elements) check(each, place, reading);
}

const TOP: RunContext = { styles: [], run: undefined };

/**
 * Whether the words of the main part are read here as in Word: elements that the converter knows, and that say the same in both.
 *
 * @throws {DocumentError} with what it is that is read otherwise
 */
export function checkBody(document: WordElement, reading: DocumentReader): void {
  const body = onlyChild(document, 'w:body');
  if (document.name !== 'w:document' || !body) throw new DocumentError('damaged', 'there is no body');
  checkAll(body.children, TOP, reading);
  reading.fields.close();
}

/** As `checkBody` for footnotes and endnotes. */
export function checkNotes(notes: WordElement, reading: DocumentReader): void {
  for (const note of notes.children) {
    if (note.name !== 'w:footnote' && note.name !== 'w:endnote') throw new DocumentError('unshown', note.name);
    checkAll(note.children, TOP, reading);
  }
  reading.fields.close();
}
