import { type PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';
import { placePlan } from '@cairn/core/on-site/place-plan.ts';

import { widthOfRuns, type ReportFaces } from './report-faces.ts';
import type { ReportTags, TaggedPart } from './report-tags.ts';

/** Points; a drawing of places. */
const PLAN = { width: 220, height: 140 };

/** A4 in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 48 };
const INK = rgb(0.1, 0.12, 0.15);
export const SOFT = rgb(0.38, 0.41, 0.46);
const LINE = rgb(0.85, 0.86, 0.88);
export const BAD = rgb(0.7, 0.11, 0.11);

export type Style = {
  size: number;
  bold?: boolean;
  color?: ReturnType<typeof rgb>;
  /** What it is to a reader that speaks the document. */ as?: 'H1' | 'H2';
};

/** Pixels of a line drawn as a picture, for each point. */
const SHARPNESS = 3;

/** Writes down a document from top to bottom, and begins a new page where the next thing does not fit. */
export class ReportPages {
  private page: PDFPage;
  private y: number;
  readonly width = PAGE.width - 2 * PAGE.margin;
  private readonly document: PDFDocument;
  private readonly fonts: { plain: PDFFont; bold: PDFFont };
  /** Code points the built-in face can write. */
  private readonly known: ReadonlySet<number>;
  private readonly more: ReportFaces;
  /** Null: nothing says what the parts are. */
  private readonly tags: ReportTags | null;

  constructor(
    document: PDFDocument,
    fonts: { plain: PDFFont; bold: PDFFont },
    { known, more, tags = null }: { known: ReadonlySet<number>; more: ReportFaces; tags?: ReportTags | null },
  ) {
    this.document = document;
    this.fonts = fonts;
    this.known = known;
    this.more = more;
    this.tags = tags;
    this.page = document.addPage([PAGE.width, PAGE.height]);
    this.y = PAGE.height - PAGE.margin;
  }

  space(points: number): void {
    this.y -= points;
  }

  rule(): void {
    this.room(8);
    this.tags?.open(this.page, null);
    this.page.drawLine({
      start: { x: PAGE.margin, y: this.y },
      end: { x: PAGE.width - PAGE.margin, y: this.y },
      thickness: 0.6,
      color: LINE,
    });
    this.tags?.close(this.page);
    this.y -= 8;
  }

  /** A paragraph; `indent` in points. What no face at hand can write (Arabic, Chinese, emoji) is drawn by the device's own. */
  async text(text: string, style: Style, indent = 0): Promise<void> {
    const { size } = style;
    for (const paragraph of text.split('\n')) {
      const part = this.tags?.begin(style.as ?? 'P');
      for (const line of this.lines(paragraph, style, this.width - indent)) {
        this.room(size * 1.4);
        this.y -= size * 1.1;
        await this.line(line, style, { x: PAGE.margin + indent, part });
        this.y -= size * 0.3;
      }
    }
  }

  /** A picture no wider than `width` and no higher than `height`, in points. */
  async picture(
    bytes: ArrayBuffer | Uint8Array,
    kind: 'jpg' | 'png',
    { width, height }: { width: number; height: number },
  ): Promise<void> {
    const image = kind === 'jpg' ? await this.document.embedJpg(bytes) : await this.document.embedPng(bytes);
    const scale = Math.min(width / image.width, height / image.height, 1);
    const drawn = { width: image.width * scale, height: image.height * scale };
    this.room(drawn.height + 6);
    this.y -= drawn.height;
    this.page.drawImage(image, { x: PAGE.margin + 12, y: this.y, ...drawn });
    this.y -= 6;
  }

  /** @param alt whose it is, for a reader that speaks the document */
  signature({ width, height, strokes }: Signature, alt = ''): void {
    const scale = Math.min(220 / (width || 1), 80 / (height || 1));
    this.room(height * scale + 6);
    this.tags?.open(this.page, this.tags.begin('Figure', alt));
    for (const stroke of strokes) {
      const path = stroke.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
      // A dot is a line of no length.
      const drawn = stroke.length === 1 ? `${path} l0.5 0` : path;
      this.page.drawSvgPath(drawn, {
        x: PAGE.margin + 12,
        y: this.y,
        scale,
        borderColor: INK,
        borderWidth: 1.4 / scale,
      });
    }
    this.tags?.close(this.page);
    this.y -= height * scale + 6;
  }

  /** A code to scan, as its squares; `size` in points, `alt` what it says. */
  code(squares: readonly (readonly boolean[])[], size: number, alt: string): void {
    this.room(size + 6);
    this.tags?.open(this.page, this.tags.begin('Figure', alt));
    // Neighbours in a line are one shape: between squares of their own a screen shows seams.
    const line = (row: readonly boolean[], y: number) =>
      row
        .map((dark, x) => (dark && !row[x - 1] ? `M${x} ${y}h${runFrom(row, x)}v1h-${runFrom(row, x)}z` : ''))
        .join('');
    const path = squares.map(line).join('');
    this.page.drawSvgPath(path, {
      x: PAGE.margin,
      y: this.y,
      scale: size / squares.length,
      color: INK,
      borderWidth: 0,
    });
    this.tags?.close(this.page);
    this.y -= size + 6;
  }

  /** A way or an area, north up, on the grid its line speaks of. */
  places(points: readonly GeoPoint[], isArea: boolean): void {
    this.room(PLAN.height + 6);
    this.y -= PLAN.height;
    const { spots, grid } = placePlan(points, PLAN);
    const at = ({ x, y }: { x: number; y: number }) => ({ x: PAGE.margin + 12 + x, y: this.y + PLAN.height - y });
    const line = (start: { x: number; y: number }, end: { x: number; y: number }, thickness: number, color = LINE) =>
      this.page.drawLine({ start: at(start), end: at(end), thickness, color });
    for (let x = 0; x <= PLAN.width; x += grid) line({ x, y: 0 }, { x, y: PLAN.height }, 0.3);
    for (let y = 0; y <= PLAN.height; y += grid) line({ x: 0, y }, { x: PLAN.width, y }, 0.3);
    const ends = isArea ? [...spots.slice(1), ...spots.slice(0, 1)] : spots.slice(1);
    for (const [index, end] of ends.entries()) line(spots[index] ?? end, end, 1.2, INK);
    for (const spot of spots) this.page.drawCircle({ ...at(spot), size: 2, color: INK });
    this.y -= 6;
  }

  /** Page numbers on every page; call it last. */
  number(label: (page: number, of: number) => string): void {
    const pages = this.document.getPages();
    for (const [index, page] of pages.entries()) {
      this.tags?.open(page, null);
      page.drawText(label(index + 1, pages.length), {
        x: PAGE.margin,
        y: PAGE.margin / 2,
        size: 8,
        font: this.fonts.plain,
        color: SOFT,
      });
      this.tags?.close(page);
    }
    this.tags?.finish();
  }

  private room(points: number): void {
    if (this.y - points >= PAGE.margin) return;
    this.page = this.document.addPage([PAGE.width, PAGE.height]);
    this.y = PAGE.height - PAGE.margin;
  }

  private async line(
    text: string,
    style: Style,
    { x, part }: { x: number; part: TaggedPart | undefined },
  ): Promise<void> {
    if (part) this.tags?.open(this.page, part);
    await this.draw(text, style, x);
    if (part) this.tags?.close(this.page);
  }

  private async draw(text: string, { size, bold = false, color = INK }: Style, x: number): Promise<void> {
    if (this.canWrite(text)) {
      const font = bold ? this.fonts.bold : this.fonts.plain;
      this.page.drawText(text, { x, y: this.y, size, font, color });
      return;
    }
    const runs = this.more.runs(text, bold ? 'bold' : 'plain');
    if (runs) {
      let from = x;
      for (const { text: part, font } of runs) {
        this.page.drawText(part, { x: from, y: this.y, size, font, color });
        from += font.widthOfTextAtSize(part, size);
      }
      return;
    }
    const { bytes, width, height } = await drawnLine(text, size, bold);
    const image = await this.document.embedPng(bytes);
    this.page.drawImage(image, { x, y: this.y - size * 0.25, width, height });
  }

  private canWrite(text: string): boolean {
    for (const char of text) if (!this.known.has(char.codePointAt(0) ?? 0)) return false;
    return true;
  }

  /** Broken at spaces; a word longer than the line is broken where it must be. */
  private lines(text: string, style: Style, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.widthOf(longer, style) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (this.widthOf(line, style) > width && line.length > 1) {
        const cut = Math.max(1, Math.floor((line.length * width) / this.widthOf(line, style)) - 1);
        lines.push(line.slice(0, cut));
        line = line.slice(cut);
      }
    }
    return line === '' ? lines : [...lines, line];
  }

  private widthOf(text: string, { size, bold = false }: Style): number {
    if (this.canWrite(text)) return (bold ? this.fonts.bold : this.fonts.plain).widthOfTextAtSize(text, size);
    const runs = this.more.runs(text, bold ? 'bold' : 'plain');
    if (runs) return widthOfRuns(runs, size);
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (!context) throw new Error('no canvas to measure with');
    context.font = faceOf(size, bold);
    return context.measureText(text).width;
  }
}

/** How many squares are dark from here on. */
function runFrom(row: readonly boolean[], x: number): number {
  const end = row.indexOf(false, x);
  return (end === -1 ? row.length : end) - x;
}

const faceOf = (size: number, bold: boolean): string => `${bold ? '600 ' : ''}${size}px system-ui, sans-serif`;

/** A line in the device's own faces, which know every script it can show. */
async function drawnLine(text: string, size: number, bold: boolean) {
  const measure = new OffscreenCanvas(1, 1).getContext('2d');
  if (!measure) throw new Error('no canvas to draw on');
  measure.font = faceOf(size, bold);
  const width = Math.ceil(measure.measureText(text).width) + 2;
  const height = Math.ceil(size * 1.4);
  const canvas = new OffscreenCanvas(width * SHARPNESS, height * SHARPNESS);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas to draw on');
  context.scale(SHARPNESS, SHARPNESS);
  context.font = faceOf(size, bold);
  context.fillStyle = '#1a1f26';
  context.fillText(text, 0, size * 1.05);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return { bytes: await blob.arrayBuffer(), width, height };
}
