import latinPlain from '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff?url';
import latinBold from '@fontsource/noto-sans/files/noto-sans-latin-700-normal.woff?url';
import latinExtPlain from '@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff?url';
import latinExtBold from '@fontsource/noto-sans/files/noto-sans-latin-ext-700-normal.woff?url';
import cyrillicPlain from '@fontsource/noto-sans/files/noto-sans-cyrillic-400-normal.woff?url';
import cyrillicBold from '@fontsource/noto-sans/files/noto-sans-cyrillic-700-normal.woff?url';
import cyrillicExtPlain from '@fontsource/noto-sans/files/noto-sans-cyrillic-ext-400-normal.woff?url';
import cyrillicExtBold from '@fontsource/noto-sans/files/noto-sans-cyrillic-ext-700-normal.woff?url';
import greekPlain from '@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff?url';
import greekBold from '@fontsource/noto-sans/files/noto-sans-greek-700-normal.woff?url';
import vietnamesePlain from '@fontsource/noto-sans/files/noto-sans-vietnamese-400-normal.woff?url';
import vietnameseBold from '@fontsource/noto-sans/files/noto-sans-vietnamese-700-normal.woff?url';
import type { FontSubset, FaceSource, Weight } from './report-faces.ts';

const FILES: Record<FontSubset, Record<Weight, string>> = {
  latin: { plain: latinPlain, bold: latinBold },
  'latin-ext': { plain: latinExtPlain, bold: latinExtBold },
  cyrillic: { plain: cyrillicPlain, bold: cyrillicBold },
  'cyrillic-ext': { plain: cyrillicExtPlain, bold: cyrillicExtBold },
  greek: { plain: greekPlain, bold: greekBold },
  vietnamese: { plain: vietnamesePlain, bold: vietnameseBold },
};

/** From our own origin, kept by the service worker: a report is made with no signal. */
export const faceFile: FaceSource = async (subset, weight) => {
  const answer = await fetch(FILES[subset][weight]);
  if (!answer.ok) throw new Error(`face ${subset} ${weight}: ${answer.status}`);
  return answer.arrayBuffer();
};
