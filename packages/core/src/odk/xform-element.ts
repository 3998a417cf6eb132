import { parseXml, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml';
import { tooDeepTag } from '../files/nesting.ts';

/** An element of an XForm. Prefixes are left out of names: `h:body` is `body`, `jr:count` is `count`. */
export type Element = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly Element[];
  /** Its texts and elements in their order. */
  content: readonly (Element | string)[];
  /** From 1. */
  line: number;
};

/** Why a text is no XML, and where. */
export class MarkupError extends Error {
  override name = 'MarkupError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads an XML document.
 *
 * @throws {MarkupError} with the line
 */
export function readElements(xml: string): Element {
  const lineAt = lineFinder(xml);
  const deep = tooDeepTag(xml);
  if (deep !== null) throw new MarkupError('this is nested too deeply', lineAt(deep));
  try {
    const { root } = parseXml(xml, { includeOffsets: true });
    if (!root) throw new MarkupError('there is nothing in it', 1);
    return elementOf(root, lineAt);
  } catch (error) {
    if (error instanceof XmlError) throw new MarkupError(reasonOf(error), error.line);
    throw error;
  }
}

/** The library adds the place and an excerpt below; the place is told once, by us. */
const reasonOf = (error: XmlError): string =>
  (error.message.split('\n')[0] ?? '').replace(/\s*\(line \d+, column \d+\)\s*$/, '');

function elementOf(source: XmlElement, lineAt: (offset: number) => number): Element {
  const line = lineAt(source.start);
  const content: (Element | string)[] = [];
  for (const child of source.children) {
    if (child instanceof XmlElement) content.push(elementOf(child, lineAt));
    else if (child instanceof XmlText) content.push(child.text);
  }
  return {
    name: local(source.name),
    attributes: new Map(Object.entries(source.attributes).map(([name, value]) => [local(name), value])),
    children: content.filter(child => typeof child !== 'string'),
    content,
    line,
  };
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function lineFinder(xml: string): (offset: number) => number {
  const starts = [0];
  for (let at = xml.indexOf('\n'); at >= 0; at = xml.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

export const attribute = (element: Element | undefined, name: string): string =>
  element?.attributes.get(name)?.trim() ?? '';

export const childCalled = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find(child => child.name === name);

/** All texts in it, white space as one blank. */
export const textOf = (element: Element | undefined): string =>
  (element?.content ?? [])
    .map(part => (typeof part === 'string' ? part : textOf(part)))
    .join('')
    .trim();
