import { encodeQR } from 'qr';
import { beginReport } from '../../../shared/report/report-document.ts';
import type { FaceSource } from '../../../shared/report/report-faces.ts';
import { SOFT } from '../../../shared/report/report-page.ts';
import type { CertificatePaper } from './certificate-paper.ts';

/** Points. */
const CODE = 110;

/** A certificate as a PDF, made on this device from what is on it: no network is asked. */
export async function certificatePdf(
  paper: CertificatePaper,
  { faces, page }: { faces: FaceSource; page: (page: number, of: number) => string },
): Promise<Uint8Array<ArrayBuffer>> {
  const { document, pages } = await beginReport(paper.subject, JSON.stringify(paper), { faces, isTagged: true });
  document.setLanguage(paper.language);
  document.setSubject(paper.heading);
  document.setAuthor(paper.author);

  await pages.text(paper.heading, { size: 20, bold: true, as: 'H1' });
  pages.space(8);
  pages.rule();
  await drawFacts(pages, paper);
  for (const each of paper.countersigned) {
    pages.space(10);
    await pages.text(each.heading, { size: 14, bold: true, as: 'H2' });
    pages.rule();
    await drawFacts(pages, each);
  }
  pages.space(10);
  await pages.text(paper.trail.heading, { size: 14, bold: true, as: 'H2' });
  pages.rule();
  for (const line of paper.trail.lines) await pages.text(line, { size: 10 });
  await pages.text(paper.trail.zone, { size: 8, color: SOFT });
  if (paper.verify) await drawVerify(pages, paper.verify);
  pages.number(page);
  return new Uint8Array(await document.save());
}

type Pages = Awaited<ReturnType<typeof beginReport>>['pages'];

async function drawFacts(
  pages: Pages,
  { facts, signature }: Pick<CertificatePaper, 'facts' | 'signature'>,
): Promise<void> {
  for (const [name, value] of facts) {
    await pages.text(name, { size: 8, color: SOFT });
    await pages.text(value, { size: 11 });
    pages.space(3);
  }
  if (signature) pages.signature(signature.drawing, signature.alt);
}

async function drawVerify(pages: Pages, verify: NonNullable<CertificatePaper['verify']>): Promise<void> {
  pages.space(10);
  await pages.text(verify.heading, { size: 14, bold: true, as: 'H2' });
  pages.rule();
  await pages.text(verify.text, { size: 10 });
  // Quiet zone and correction for a sheet that was copied or folded.
  pages.code(encodeQR(verify.address, 'raw', { ecc: 'quartile', border: 4 }), CODE, verify.address);
  await pages.text(verify.code, { size: 10, bold: true });
  await pages.text(verify.address, { size: 9 });
}
