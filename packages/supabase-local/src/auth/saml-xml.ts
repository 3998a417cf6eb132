import { DOMParser } from '@xmldom/xmldom';

const SAML_NAMESPACES = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

type Namespace = keyof typeof SAML_NAMESPACES;

/** No identity provider nests so much; libraries walk a document by recursion. */
const MAX_DEPTH = 32;

/** How many tags (two for most elements) and attributes a document may have: libraries compare them in pairs. */
export type XmlBounds = { tags: number; attributes: number };

const KNOWN_ENTITY = 'amp|lt|gt|quot|apos|#\\d{1,7}|#x[0-9a-f]{1,6}';
const UNKNOWN_ENTITY = new RegExp(`&(?!(${KNOWN_ENTITY});)`, 'i');

const isElement = (node: Node): node is Element => node.nodeType === 1;

const elementsIn = (parent: Node): Element[] => Array.from(parent.childNodes).filter(isElement);

/** Every element of the document, the root first. @throws {Error} when they are nested too deeply */
function elementsOf(root: Element): Element[] {
  const found: Element[] = [];
  let level = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    found.push(...level);
    if (depth > MAX_DEPTH) throw new Error('The XML is nested too deeply');
    level = level.flatMap(elementsIn);
  }
  return found;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Before a parser sees it. */
function requireModest(text: string, { tags, attributes }: XmlBounds): void {
  if (/<!(doctype|entity)/i.test(text)) throw new Error('A document type is not taken');
  if (UNKNOWN_ENTITY.test(text)) throw new Error('The XML names an unknown entity');
  if (countOf(text, /</g) > tags || countOf(text, /=\s*["']/g) > attributes) throw new Error('The XML is too large');
}

export type XmlDocument = { root: Element; elements: Element[] };

/**
 * Reads XML; what the parser would have to mend is refused, as the next one would mend it otherwise.
 *
 * @throws {Error} for that, a document type, entities that are not XML's own, too many tags or attributes, too deep elements
 */
export function parseXml(text: string, bounds: XmlBounds): XmlDocument {
  requireModest(text, bounds);
  const refuse = (): never => {
    throw new Error('The XML is not well-formed');
  };
  const errorHandler = { warning: refuse, error: refuse, fatalError: refuse };
  const document = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml');
  const root = document?.documentElement;
  if (!root || elementsIn(document).length !== 1) throw new Error('The XML has no single root');
  return { root, elements: elementsOf(root) };
}

export const isNamed = (element: Element, namespace: Namespace, name: string): boolean =>
  element.namespaceURI === SAML_NAMESPACES[namespace] && element.localName === name;

export const childrenNamed = (parent: Element, namespace: Namespace, name: string): Element[] =>
  elementsIn(parent).filter(child => isNamed(child, namespace, name));

export const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? '';
