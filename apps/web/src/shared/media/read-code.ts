import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

// From our own origin: the library's default is a CDN, which fails where there is no signal and which our policy refuses.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasm : prefix + path) },
});

const detector = new BarcodeDetector({
  formats: [
    'qr_code',
    'data_matrix',
    'aztec',
    'pdf417',
    'code_128',
    'code_39',
    'code_93',
    'ean_13',
    'ean_8',
    'upc_a',
    'upc_e',
    'itf',
  ],
});

/** What stands in the first code of a picture; null where there is none. */
export async function readCode(picture: HTMLVideoElement | ImageBitmap): Promise<string | null> {
  const found = await detector.detect(picture);
  return found.find(({ rawValue }) => rawValue !== '')?.rawValue ?? null;
}
