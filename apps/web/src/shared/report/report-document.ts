import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { ReportFaces, type FaceSource } from './report-faces.ts';
import { ReportPages } from './report-page.ts';
import { ReportTags } from './report-tags.ts';

/**
 * Begins a document that is made on this device: no network is asked.
 *
 * @param isTagged whether it says what its parts are, for readers that speak it: everything drawn has to be text or have words
 * @param headline everything the document will say; only the faces it needs are embedded
 */
export async function beginReport(
  title: string,
  headline: string,
  { faces, isTagged = false }: { faces: FaceSource; isTagged?: boolean },
): Promise<{ document: PDFDocument; pages: ReportPages }> {
  const document = await PDFDocument.create();
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setCreator('Cairn');
  const fonts = {
    plain: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  const known = new Set(fonts.plain.getCharacterSet());
  const more = await ReportFaces.for(document, headline, { known, source: faces });
  const tags = isTagged ? new ReportTags(document) : null;
  return { document, pages: new ReportPages(document, fonts, { known, more, tags }) };
}
