import { newId } from '@cairn/base/id.ts';
import {
  documentKind,
  DOCUMENT_BEGINNING,
  MAX_DOCUMENT_BYTES,
  PDF_MIME,
  type DocumentProblem,
} from '@cairn/core/media/document-kind.ts';
import type { ReadDocument } from '@cairn/core/policies/policy-file.ts';
import { MAX_POLICY_CHARS } from '@cairn/core/policies/version-states.ts';
import { sha256Hex } from '../../../shared/media/picture-facts.ts';

export type ReadOutcome = { ok: true; document: ReadDocument } | { ok: false; problem: DocumentProblem };

/** More pages than this are not a policy, and each costs a phone. */
const MAX_PAGES = 2000;

const refused = (problem: DocumentProblem): ReadOutcome => ({ ok: false, problem });
type Words = { text: string; pages: number | null };

/** What the PDF reader itself finds, beside what its bytes say. */
async function readPdf(bytes: ArrayBuffer): Promise<Words | DocumentProblem> {
  const { isPasswordError, openPdf } = await import('./pdf-engine.ts');
  const { pdfText } = await import('./pdf-text.ts');
  try {
    const pdf = await openPdf(bytes);
    try {
      const [scripts, attached] = await Promise.all([pdf.getJSActions(), pdf.getAttachments()]);
      if (scripts || attached) return 'active';
      if (pdf.numPages > MAX_PAGES) return 'too_large';
      return { text: await pdfText(pdf, MAX_POLICY_CHARS), pages: pdf.numPages };
    } finally {
      await pdf.loadingTask.destroy();
    }
  } catch (error) {
    return isPasswordError(error) ? 'encrypted' : 'damaged';
  }
}

async function readWord(bytes: ArrayBuffer): Promise<Words | DocumentProblem> {
  const { wordText } = await import('./word-document.ts');
  try {
    return { text: (await wordText(bytes)).slice(0, MAX_POLICY_CHARS), pages: null };
  } catch {
    return 'damaged';
  }
}

/**
 * Reads a picked file as a policy's document: judged by its content, hashed, its words taken out. What is too large is refused before
 * any of it is read, what is no document after its first bytes.
 */
export async function readDocument(file: File): Promise<ReadOutcome> {
  if (file.size === 0) return refused('empty');
  if (file.size > MAX_DOCUMENT_BYTES) return refused('too_large');
  const mime = documentKind(new Uint8Array(await file.slice(0, DOCUMENT_BEGINNING).arrayBuffer()));
  if (mime === 'old_word' || mime === 'unknown') return refused(mime);
  const data = await file.arrayBuffer();
  const { documentProblem } = await import('@cairn/core/media/document-check.ts');
  const problem = await documentProblem(new Uint8Array(data), mime);
  if (problem !== null) return refused(problem);
  const words = await (mime === PDF_MIME ? readPdf(data) : readWord(data));
  if (typeof words === 'string') return refused(words);
  return { ok: true, document: { id: newId(), data, sha256: await sha256Hex(data), mime, name: file.name, ...words } };
}
