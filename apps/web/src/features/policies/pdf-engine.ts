import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/** What a PDF may need besides itself: letters it names and does not carry, and readers of pictures. All of it is ours. */
const files = import.meta.glob<string>(
  [
    '../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm',
  ],
  { query: '?url&no-inline', import: 'default', exhaustive: true, eager: true },
);

const FOLDERS = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts', wasmUrl: 'wasm' };

/** Hands out those files under the names the build gave them. */
class OwnFiles {
  async fetch({ kind, filename }: { kind: keyof typeof FOLDERS; filename: string }): Promise<Uint8Array> {
    const wanted = `pdfjs-dist/${FOLDERS[kind]}/${filename}`;
    const address = Object.entries(files).find(([path]) => path.endsWith(wanted))?.[1];
    if (!address) throw new Error(`${wanted} is not part of the app`);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${wanted}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}

/** px of one picture in a PDF, and bytes of one drawing surface: what a phone can hold. */
const MOST_IMAGE = 50_000_000;
const MOST_SURFACE = 67_000_000;

/**
 * Opens a PDF to be read: nothing in it runs, is filled in or followed, and nothing is fetched for it.
 *
 * @param bytes a copy of them: the reader takes what it is given
 */
export function openPdf(bytes: ArrayBuffer): Promise<PDFDocumentProxy> {
  pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
  return pdfjs.getDocument({
    data: new Uint8Array(bytes.slice(0)),
    BinaryDataFactory: OwnFiles,
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    wasmUrl: 'wasm/',
    useWorkerFetch: false,
    enableXfa: false,
    maxImageSize: MOST_IMAGE,
    canvasMaxAreaInBytes: MOST_SURFACE,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  }).promise;
}

export const { TextLayer } = pdfjs;
export const isPasswordError = (error: unknown): boolean => error instanceof pdfjs.PasswordException;
