import { parseXml, XmlCdata, XmlComment, XmlDocumentType, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml';
import { tooDeepTag } from '../files/nesting.ts';
import { DocumentError } from './word-problem.ts';

/** An element by its namespace: `w:p` is WordprocessingML's paragraph whatever prefix the file gives it, and in both of its dialects. */
export type WordElement = {
  /** `w:p`, or `{namespace}p` where we know the namespace by no short name, or `p` where it has none. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly WordElement[];
  /** Its own text, without that of its children. */
  text: string;
};

/** As the converter has them (mammoth 1.13, `office-xml-reader.js`): transitional, strict, and what both use. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['http://schemas.openxmlformats.org/wordprocessingml/2006/main', 'w'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'r'],
  ['http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing', 'wp'],
  ['http://schemas.openxmlformats.org/drawingml/2006/main', 'a'],
  ['http://schemas.openxmlformats.org/drawingml/2006/picture', 'pic'],
  ['http://purl.oclc.org/ooxml/wordprocessingml/main', 'w'],
  ['http://purl.oclc.org/ooxml/officeDocument/relationships', 'r'],
  ['http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing', 'wp'],
  ['http://purl.oclc.org/ooxml/drawingml/main', 'a'],
  ['http://purl.oclc.org/ooxml/drawingml/picture', 'pic'],
  ['http://schemas.openxmlformats.org/package/2006/content-types', 'content-types'],
  ['http://schemas.openxmlformats.org/package/2006/relationships', 'relationships'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'wordml'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm'],
  ['http://purl.oclc.org/ooxml/officeDocument/math', 'm'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
]);

/** Elements of one part; each costs some 300 bytes while it is looked at. A thousand pages have a third of it. */
const MAX_ELEMENTS = 1_000_000;

/** What prefixes stand for at an element, and the names that were put together from them: most elements share both with their parents. */
type Scope = { prefixes: ReadonlyMap<string, string>; names: Map<string, string> };

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** Bindings of an element: those around it and its own. */
function scopeOf(attributes: Readonly<Record<string, string>>, around: Scope): Scope {
  let own: Map<string, string> | null = null;
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    own ??= new Map(around.prefixes);
    own.set(name.slice('xmlns:'.length), value);
  }
  return own ? { prefixes: own, names: new Map() } : around;
}

/** The name of an element, or of an attribute with a prefix. */
function named(name: string, scope: Scope): string {
  const known = scope.names.get(name) ?? spelled(name, scope.prefixes);
  scope.names.set(name, known);
  return known;
}

function spelled(name: string, prefixes: ReadonlyMap<string, string>): string {
  const colon = name.indexOf(':');
  const [prefix, local] = colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
  const uri = prefixes.get(prefix);
  if (prefix !== '' && !uri) throw new DocumentError('damaged', `${prefix} stands for no namespace`);
  if (!uri) return local;
  const short = NAMESPACES.get(uri);
  return short === undefined ? `{${uri}}${local}` : `${short}:${local}`;
}

function attributesOf(attributes: Readonly<Record<string, string>>, scope: Scope): ReadonlyMap<string, string> {
  let own: Map<string, string> | null = null;
  for (const [written, value] of Object.entries(attributes)) {
    if (written === 'xmlns' || written.startsWith('xmlns:')) continue;
    const name = written.includes(':') ? named(written, scope) : written;
    // Whoever knows the wrapper takes what is in it for its own; the converter leaves it out.
    if (name === 'mc:ProcessContent') throw new DocumentError('variants', name);
    own ??= new Map();
    // Under two prefixes: one reader takes the first, another the last.
    if (own.has(name)) throw new DocumentError('damaged', `${name} is said twice`);
    own.set(name, value);
  }
  return own ?? NO_ATTRIBUTES;
}

function elementOf(source: XmlElement, around: Scope): WordElement {
  const scope = scopeOf(source.attributes, around);
  const children: WordElement[] = [];
  let text = '';
  let pieces = 0;
  for (const child of source.children) {
    if (child instanceof XmlElement) children.push(elementOf(child, scope));
    else if (child instanceof XmlCdata) throw new DocumentError('damaged', 'the converter leaves CDATA out');
    else if (child instanceof XmlText) text += child.text;
    if (child instanceof XmlText || child instanceof XmlComment) pieces += 1;
  }
  // The converter stops at a text that a comment cuts.
  if (pieces > 1 && children.length === 0) throw new DocumentError('damaged', 'a text is cut by a comment');
  return { name: named(source.name, scope), attributes: attributesOf(source.attributes, scope), children, text };
}

/** Elements and attributes are counted by what begins them, before any is made. */
function isTooMuch(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    count += 1;
    if (count > 2 * MAX_ELEMENTS) return true;
  }
  return false;
}

/** UTF-8 alone: the converter reads nothing else, whatever a part says that it is. */
function decoded(bytes: Uint8Array): string {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DocumentError('damaged', 'this is no UTF-8', { cause: error });
  }
  const declaration = /^<\?xml\s[^>]*?\?>/.exec(text.slice(0, 300))?.[0] ?? '';
  const encoding = /\sencoding\s*=\s*["']([^"']*)/.exec(declaration)?.[1] ?? 'utf-8';
  const version = /\sversion\s*=\s*["']([^"']*)/.exec(declaration)?.[1] ?? '1.0';
  if (!/^(utf-8|us-ascii)$/i.test(encoding) || version !== '1.0')
    throw new DocumentError('damaged', `${encoding}, ${version}`);
  return text;
}

/**
 * Reads a part of a Word file as the converter does, by namespaces, and more strictly: what two readers could take differently is refused.
 *
 * @throws {DocumentError} `bomb` for entities and for more elements than a phone holds, `damaged` for what is no XML or read differently
 */
export function readWordXml(bytes: Uint8Array): WordElement {
  const text = decoded(bytes);
  // Entities that stand for each other unpack without end; no writer of Word files uses any.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new DocumentError('bomb', 'entities');
  if (isTooMuch(text)) throw new DocumentError('bomb', 'more elements than a phone holds');
  if (tooDeepTag(text) !== null) throw new DocumentError('damaged', 'this is nested too deeply');
  try {
    const { root, children } = parseXml(text, {
      preserveCdata: true,
      preserveComments: true,
      preserveDocumentType: true,
    });
    if (!root || children.some(each => each instanceof XmlDocumentType)) throw new DocumentError('bomb', 'a DTD');
    return elementOf(root, { prefixes: new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]), names: new Map() });
  } catch (error) {
    if (error instanceof XmlError) throw new DocumentError('damaged', 'this is no XML', { cause: error });
    throw error;
  }
}

export const childrenCalled = (element: WordElement | undefined, name: string): readonly WordElement[] =>
  element?.children.filter(each => each.name === name) ?? [];

/** @throws {DocumentError} `damaged` where it stands there twice: one reader takes the first, another the last */
export function onlyChild(element: WordElement | undefined, name: string): WordElement | undefined {
  const [first, second] = childrenCalled(element, name);
  if (second) throw new DocumentError('damaged', `${name} stands there twice`);
  return first;
}

/** A switch (`w:vanish`): on where it stands there, but for a value that says off. Null where it does not. */
export function switchIn(element: WordElement | undefined, name: string): boolean | null {
  const found = onlyChild(element, name);
  if (!found) return null;
  return !/^(0|false|off)$/i.test(found.attributes.get('w:val') ?? '');
}
