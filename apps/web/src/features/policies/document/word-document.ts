import mammoth from 'mammoth';
import { pictureShape } from '@cairn/base/picture-shape.ts';
import { safeDocument } from './safe-markdown.ts';

/** A part of a Word document that is read as one: a heading with what follows it. */
export type WordSection = { id: string; title: string; /** Safe to show. */ html: string };

const NAMES = 'h2,h3,h4,h5,h6';

/** A picture is part of the text only where its bytes say that it is one a browser draws, and of a size it can hold. */
const pictures = mammoth.images.imgElement(async image => {
  const shape = pictureShape(new Uint8Array(await image.readAsArrayBuffer()));
  return { src: shape ? `data:${shape.mime};base64,${await image.readAsBase64String()}` : '' };
});

async function htmlOf(bytes: ArrayBuffer): Promise<string> {
  const { value } = await mammoth.convertToHtml({ arrayBuffer: bytes }, { convertImage: pictures });
  return value;
}

/** Safe, and with its headings one level down: the title of the policy stands above them. */
function fitted(html: string): string {
  const down = html.replaceAll(
    /<(\/?)h([1-6])(?=[\s>])/g,
    (_, slash: string, level: string) => `<${slash}h${Math.min(6, Number(level) + 1)}`,
  );
  return safeDocument(down);
}

/** The level that cuts: the topmost that stands more than once. */
function cuttingLevel(body: Element): string {
  const headings = [...body.children].filter(each => each.matches(NAMES)).map(each => each.tagName);
  const levels = [...new Set(headings)].toSorted();
  return levels.find(level => headings.filter(each => each <= level).length > 1) ?? levels[0] ?? 'H2';
}

type Part = { title: string; html: string };
const withMore = (part: Part | undefined, { outerHTML }: Element): Part => ({
  title: part?.title ?? '',
  html: (part?.html ?? '') + outerHTML,
});

/** A Word document as it is read: cut at its top headings. */
export const wordSections = async (bytes: ArrayBuffer): Promise<WordSection[]> => sectionsIn(await htmlOf(bytes));

/** HTML that was made of a document, cut at its top headings and safe to show. */
export function sectionsIn(html: string): WordSection[] {
  const { body } = new DOMParser().parseFromString(fitted(html), 'text/html');
  const level = cuttingLevel(body);
  const parts: Part[] = [{ title: '', html: '' }];
  for (const each of body.children) {
    const isHead = each.matches(NAMES) && each.tagName <= level;
    if (isHead) parts.push({ title: each.textContent.trim(), html: '' });
    else parts[parts.length - 1] = withMore(parts.at(-1), each);
  }
  return parts
    .filter(({ title, html }) => title !== '' || html.trim() !== '')
    .map(({ title, html }, index) => ({ id: `section-${index + 1}`, title, html: safeDocument(html) }));
}

const plain = (node: Element): string => node.textContent.replaceAll(/\s+/g, ' ').trim();

function blocksOf(node: Element, depth = 0): string[] {
  if (node.matches(NAMES)) return [`${'#'.repeat(Number(node.tagName[1]))} ${plain(node)}`];
  if (node.matches('tr')) return [`| ${[...node.children].map(plain).join(' | ')} |`];
  if (node.matches('ul,ol')) return [[...node.children].flatMap(item => itemOf(item, depth)).join('\n')];
  if (node.matches('table,tbody,thead,blockquote,div'))
    return [...node.children].flatMap(each => blocksOf(each, depth));
  return [plain(node)];
}

function itemOf(item: Element, depth: number): string[] {
  const nested = [...item.children].filter(each => each.matches('ul,ol'));
  const own = [...item.childNodes]
    .filter(each => !nested.includes(each as Element))
    .map(each => each.textContent ?? '')
    .join('');
  return [
    `${'  '.repeat(depth)}- ${own.replaceAll(/\s+/g, ' ').trim()}`,
    ...nested.flatMap(list => blocksOf(list, depth + 1)),
  ];
}

/** Its words as Markdown, to be searched and compared. */
export const wordText = async (bytes: ArrayBuffer): Promise<string> => markdownIn(await htmlOf(bytes));

/** The words of HTML that was made of a document, as Markdown. */
export function markdownIn(html: string): string {
  const { body } = new DOMParser().parseFromString(fitted(html), 'text/html');
  return [...body.children]
    .flatMap(each => blocksOf(each))
    .filter(Boolean)
    .join('\n\n');
}
