import {
  documentKind,
  DOCUMENT_BEGINNING,
  MAX_DOCUMENT_BYTES,
  PDF_MIME,
  type DocumentProblem,
} from './document-kind.ts';
import { pdfProblem } from './pdf-check.ts';
import { wordProblem } from './word-check.ts';

/**
 * Why bytes are not taken as a document of this type; null where they are. The same check runs on the device that uploads and on the
 * server before it says that it has the file.
 */
export async function documentProblem(bytes: Uint8Array, mime: string): Promise<DocumentProblem | null> {
  if (bytes.length === 0) return 'empty';
  if (bytes.length > MAX_DOCUMENT_BYTES) return 'too_large';
  const kind = documentKind(bytes.subarray(0, DOCUMENT_BEGINNING));
  if (kind === 'old_word' || kind === 'unknown') return kind;
  if (kind !== mime) return 'unknown';
  return kind === PDF_MIME ? pdfProblem(bytes) : wordProblem(bytes);
}
