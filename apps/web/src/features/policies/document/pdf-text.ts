import type { PDFDocumentProxy } from 'pdfjs-dist';

type TextItem = { str: string; hasEOL: boolean; transform: number[]; height: number };

/** How far apart two lines stand, in heights of a letter, where a new paragraph begins. */
const APART = 1.8;

/** Pieces of text as a page draws them, as paragraphs. */
export function paragraphsOf(items: readonly TextItem[]): string[] {
  const paragraphs: string[] = [];
  let words = '';
  let last: TextItem | null = null;
  for (const item of items) {
    const gap = last === null ? 0 : Math.abs((last.transform[5] ?? 0) - (item.transform[5] ?? 0));
    if (words.trim() !== '' && item.str.trim() !== '' && gap > APART * Math.max(item.height, 1)) {
      paragraphs.push(words);
      words = '';
    }
    words += item.str;
    if (item.hasEOL && !words.endsWith(' ')) words += ' ';
    if (item.str.trim() !== '') last = item;
  }
  return [...paragraphs, words].map(text => text.replaceAll(/\s+/g, ' ').trim()).filter(Boolean);
}

/** The words of one page, from 1. */
export async function pageText(pdf: PDFDocumentProxy, number: number): Promise<string[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return paragraphsOf(items.filter((item): item is (typeof items)[number] & TextItem => 'str' in item));
}

/** All words of a PDF, a blank line between paragraphs; no more than `most` characters. */
export async function pdfText(pdf: PDFDocumentProxy, most: number): Promise<string> {
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages && length < most; number += 1) {
    const text = (await pageText(pdf, number)).join('\n\n');
    length += text.length + 2;
    if (text !== '') pages.push(text);
  }
  return pages.join('\n\n').slice(0, most);
}
