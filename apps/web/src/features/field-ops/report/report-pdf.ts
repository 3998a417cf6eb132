import { beginReport } from '../../../shared/report/report-document.ts';
import type { FaceSource } from '../../../shared/report/report-faces.ts';
import { BAD, type ReportPages } from '../../../shared/report/report-page.ts';
import type { Report, ReportRow } from './report-model.ts';

/** What the report cannot take from itself. */
export type ReportParts = {
  /** Bytes of a picture on this device; a line for what is heard or opened elsewhere; null where it is not here. */
  fileOf: (mediaId: string) => Promise<ArrayBuffer | string | null>;
  /** A picture of a choice: the bytes of a JPEG; null where it is not here. */
  pictureOf: (id: string) => Promise<Uint8Array | null>;
  /** Where faces come from for letters the PDF's own lacks. */
  faces: FaceSource;
  words: {
    flagged: string;
    noneFlagged: string;
    outcome: Record<'pass' | 'fail' | 'na', string>;
    photoElsewhere: string;
    page: (page: number, of: number) => string;
  };
};

/** Points; large enough to see what a photo shows, small enough for two on a page. */
const PHOTO = { width: 300, height: 240 };
/** Points; a picture of what was chosen. */
const CHOICE = { width: 90, height: 70 };
const MAX_SIDE_PX = 1400;

/** A finished inspection as a PDF, made on this device from what is on it: no network is asked. */
export async function reportPdf(
  report: Report,
  { fileOf, pictureOf, faces, words }: ReportParts,
): Promise<Uint8Array<ArrayBuffer>> {
  const { document, pages } = await beginReport(report.title, JSON.stringify([report, words]), { faces });

  await pages.text(report.title, { size: 20, bold: true });
  pages.space(6);
  for (const [name, value] of report.facts) await pages.text(`${name}: ${value}`, { size: 10 });
  await writeFlagged(pages, report, words);
  const write = (row: ReportRow) => writeRow(pages, row, { fileOf, pictureOf, words });
  for (const { title, rows } of report.sections) {
    pages.space(12);
    await pages.text(title, { size: 14, bold: true });
    pages.rule();
    for (const row of rows) await write(row);
  }
  if (report.signature) {
    pages.space(12);
    pages.rule();
    pages.signature(report.signature.drawing);
    await pages.text(report.signature.line, { size: 10 });
  }
  pages.number(words.page);
  return new Uint8Array(await document.save());
}

async function writeFlagged(pages: ReportPages, report: Report, words: ReportParts['words']): Promise<void> {
  pages.space(10);
  await pages.text(words.flagged, { size: 14, bold: true });
  if (report.flagged.length === 0) await pages.text(words.noneFlagged, { size: 10 });
  for (const row of report.flagged) {
    await pages.text(`• ${row.label}`, { size: 10, bold: true, color: BAD });
    if (row.note) await pages.text(row.note, { size: 10 }, 12);
  }
}

async function writeRow(
  pages: ReportPages,
  row: ReportRow,
  { fileOf, pictureOf, words }: Pick<ReportParts, 'fileOf' | 'pictureOf' | 'words'>,
): Promise<void> {
  await pages.text(row.label, { size: 10, bold: true });
  const outcome = row.outcome && words.outcome[row.outcome];
  const text = [outcome, row.value === outcome ? '' : row.value].filter(Boolean).join(' · ');
  if (text) await pages.text(text, { size: 10, ...(row.outcome === 'fail' && { color: BAD }) }, 12);
  for (const id of row.pictureIds) {
    const picture = await pictureOf(id);
    if (picture) await pages.picture(picture, 'jpg', CHOICE);
  }
  if (row.note) await pages.text(row.note, { size: 10 }, 12);
  if (row.signature) pages.signature(row.signature);
  if (row.places) {
    pages.places(row.places.points, row.places.isArea);
    await pages.text(row.places.line, { size: 9 }, 12);
  }
  for (const id of row.mediaIds) {
    const file = await fileOf(id);
    const small = file instanceof ArrayBuffer ? await asJpeg(file) : null;
    if (small) await pages.picture(small, 'jpg', PHOTO);
    else await pages.text(typeof file === 'string' ? file : words.photoElsewhere, { size: 9 }, 12);
  }
  pages.space(6);
}

/** Any picture the browser can show, upright and no larger than print needs; null for what is none. */
async function asJpeg(bytes: ArrayBuffer): Promise<ArrayBuffer | null> {
  const bitmap = await createImageBitmap(new Blob([bytes])).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.82 });
  return blob.arrayBuffer();
}
