import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib';

/** Parts of Noto Sans, by the scripts they write; the licence (OFL) lies in `@fontsource/noto-sans`. */
export const fontSubsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const;
export type FontSubset = (typeof fontSubsets)[number];
export type Weight = 'plain' | 'bold';

/** Bytes of a piece, as WOFF: of WOFF2 no subset can be embedded. */
export type FaceSource = (subset: FontSubset, weight: Weight) => Promise<ArrayBuffer>;

/** A stretch of a line in one face. */
export type Run = { text: string; font: PDFFont };

/** Which code points belong to each piece, first and last; as its makers cut them. */
const RANGES: Record<FontSubset, readonly (readonly [number, number])[]> = {
  latin: [[0x20, 0xff]],
  'latin-ext': [
    [0x100, 0x2ff],
    [0x1e00, 0x1e9f],
    [0x1ef2, 0x1eff],
    [0x20a0, 0x20c0],
  ],
  cyrillic: [
    [0x400, 0x45f],
    [0x490, 0x491],
    [0x4b0, 0x4b1],
    [0x2116, 0x2116],
  ],
  'cyrillic-ext': [[0x460, 0x52f]],
  greek: [[0x370, 0x3ff]],
  vietnamese: [[0x1ea0, 0x1ef1]],
};

const needs = (subset: FontSubset, chars: ReadonlySet<string>): boolean =>
  [...chars].some(char => {
    const point = char.codePointAt(0) ?? 0;
    return RANGES[subset].some(([first, last]) => point >= first && point <= last);
  });

/** Faces for what the PDF's built-in one lacks: Polish, Czech, Turkish, Vietnamese, Greek, Cyrillic. Only what is needed is embedded. */
export class ReportFaces {
  private readonly faces: Record<Weight, { font: PDFFont; known: ReadonlySet<number> }[]> = { plain: [], bold: [] };

  /**
   * @param text everything the report says
   * @param known code points the built-in face writes; nothing is fetched for a text within them
   */
  static async for(
    document: PDFDocument,
    text: string,
    { known, source }: { known: ReadonlySet<number>; source: FaceSource },
  ): Promise<ReportFaces> {
    const faces = new ReportFaces();
    const foreign = new Set(Array.from(text).filter(char => !known.has(char.codePointAt(0) ?? 0) && char > ' '));
    const wanted = fontSubsets.filter(subset => subset !== 'latin' && needs(subset, foreign));
    if (wanted.length === 0) return faces;
    const { default: fontkit } = await import('@cantoo/fontkit');
    document.registerFontkit(fontkit);
    for (const weight of ['plain', 'bold'] as const) {
      // Latin too: a word must not change its face at one letter.
      for (const subset of ['latin', ...wanted] as const) {
        const font = await document.embedFont(await source(subset, weight), { subset: true });
        faces.faces[weight].push({ font, known: new Set(font.getCharacterSet()) });
      }
    }
    return faces;
  }

  /** The line in runs of one face each; null where some letter is in none of them. */
  runs(line: string, weight: Weight): Run[] | null {
    const runs: Run[] = [];
    for (const char of line) {
      const face = this.faces[weight].find(({ known }) => known.has(char.codePointAt(0) ?? 0));
      if (!face) return null;
      const last = runs.at(-1);
      if (last?.font === face.font) last.text += char;
      else runs.push({ text: char, font: face.font });
    }
    return runs;
  }
}

export const widthOfRuns = (runs: readonly Run[], size: number): number =>
  runs.reduce((width, { text, font }) => width + font.widthOfTextAtSize(text, size), 0);
