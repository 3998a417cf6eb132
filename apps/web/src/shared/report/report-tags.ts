import {
  PDFHexString,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFDocument,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';

export type TagRole = 'H1' | 'H2' | 'P' | 'Figure';

/** One thing that is read as one: a heading, a paragraph over its lines and pages, a drawing. */
export type TaggedPart = { role: TagRole; alt: string | null; places: { page: PDFPage; mark: number }[] };

/**
 * Says what the parts of a document are, for readers that speak it: PDF 1.7 (ISO 32000-1), 14.7 "Logical structure" and 14.8 "Tagged
 * PDF". The library writes marks into a page; the tree above them is made here.
 */
export class ReportTags {
  private readonly document: PDFDocument;
  private readonly parts: TaggedPart[] = [];
  /** What each mark of a page belongs to, by its number. */
  private readonly marks = new Map<PDFPage, TaggedPart[]>();

  constructor(document: PDFDocument) {
    this.document = document;
  }

  /** @param alt what a drawing shows, in words; null for text */
  begin(role: TagRole, alt: string | null = null): TaggedPart {
    const part: TaggedPart = { role, alt, places: [] };
    this.parts.push(part);
    return part;
  }

  /** What is drawn next on the page, until `close`, is of this part; null: it says nothing and is not read. */
  open(page: PDFPage, part: TaggedPart | null): void {
    if (part === null) {
      page.pushOperators(PDFOperator.of(PDFOperatorNames.BeginMarkedContent, [PDFName.of('Artifact')]));
      return;
    }
    const there = this.marks.get(page) ?? [];
    this.marks.set(page, there);
    const mark = there.push(part) - 1;
    part.places.push({ page, mark });
    page.pushOperators(
      PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [PDFName.of(part.role), `<</MCID ${mark}>>`]),
    );
  }

  close(page: PDFPage): void {
    page.pushOperators(PDFOperator.of(PDFOperatorNames.EndMarkedContent));
  }

  /** Writes the tree; once everything is drawn. */
  finish(): void {
    const { context, catalog } = this.document;
    const root = context.nextRef();
    const whole = context.nextRef();
    const refs = new Map(this.parts.map(part => [part, this.register(part, whole)]));
    context.assign(whole, context.obj({ Type: 'StructElem', S: 'Document', P: root, K: [...refs.values()] }));
    const pages = this.document.getPages();
    const numbers = pages.flatMap((page, index) => {
      page.node.set(PDFName.of('StructParents'), context.obj(index));
      page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
      const owners = (this.marks.get(page) ?? []).flatMap(part => refs.get(part) ?? []);
      return [context.obj(index), context.register(context.obj(owners))];
    });
    const parents = context.register(context.obj({ Nums: numbers }));
    context.assign(
      root,
      context.obj({ Type: 'StructTreeRoot', K: whole, ParentTree: parents, ParentTreeNextKey: pages.length }),
    );
    catalog.set(PDFName.of('StructTreeRoot'), root);
    catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  }

  private register({ role, alt, places }: TaggedPart, parent: PDFRef): PDFRef {
    const { context } = this.document;
    const marks = places.map(({ page, mark }) => context.obj({ Type: 'MCR', Pg: page.ref, MCID: mark }));
    const element = context.obj({ Type: 'StructElem', S: role, P: parent, K: marks });
    if (alt !== null) element.set(PDFName.of('Alt'), PDFHexString.fromText(alt));
    return context.register(element);
  }
}
