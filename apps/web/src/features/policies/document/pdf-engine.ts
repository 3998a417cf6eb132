import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';

/** The reader's other half, and what a PDF may need: letters it names and does not carry, readers of pictures. All of it is ours. */
const files = import.meta.glob<string>(
  [
    '../../../../../../node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs',
    '../../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '../../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '../../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm',
  ],
  { query: '?url&no-inline', import: 'default', exhaustive: true, eager: true },
);

const FOLDERS = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts', wasmUrl: 'wasm' };

function addressOf(name: string): string {
  const address = Object.entries(files).find(([path]) => path.endsWith(`pdfjs-dist/${name}`))?.[1];
  if (!address) throw new Error(`${name} is not part of the app`);
  return address;
}

/** Hands out those files under the names the build gave them. */
class OwnFiles {
  async fetch({ kind, filename }: { kind: keyof typeof FOLDERS; filename: string }): Promise<Uint8Array> {
    const answer = await fetch(addressOf(`${FOLDERS[kind]}/${filename}`));
    if (!answer.ok) throw new Error(`${filename}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}

/** px of one picture in a PDF, and bytes of one drawing surface: what a phone can hold. */
const MAX_IMAGE_PIXELS = 50_000_000;
const MAX_SURFACE_BYTES = 67_000_000;

/**
 * Opens a PDF to be read: nothing in it runs, is filled in or followed, and nothing is fetched for it.
 *
 * @param bytes a copy of them: the reader takes what it is given
 */
export function openPdf(bytes: ArrayBuffer): Promise<PDFDocumentProxy> {
  pdfjs.GlobalWorkerOptions.workerSrc = addressOf('legacy/build/pdf.worker.min.mjs');
  return pdfjs.getDocument({
    data: new Uint8Array(bytes.slice(0)),
    BinaryDataFactory: OwnFiles,
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    wasmUrl: 'wasm/',
    useWorkerFetch: false,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    canvasMaxAreaInBytes: MAX_SURFACE_BYTES,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  }).promise;
}

export const { TextLayer } = pdfjs;
export const isPasswordError = (error: unknown): boolean => error instanceof pdfjs.PasswordException;
