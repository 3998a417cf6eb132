import { DOMParser } from '@xmldom/xmldom';

export const SAML_NAMESPACES = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

type Namespace = keyof typeof SAML_NAMESPACES;

/** No identity provider nests or repeats so much; libraries walk a document by recursion. */
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 2_000;

const isElement = (node: Node): node is Element => node.nodeType === 1;

const elementsIn = (parent: Node): Element[] => Array.from(parent.childNodes).filter(isElement);

/** Every element of the document, the root first. @throws {Error} when it has too many or too deep ones */
function elementsOf(root: Element): Element[] {
  const found: Element[] = [];
  let level = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    found.push(...level);
    if (depth > MAX_DEPTH || found.length > MAX_ELEMENTS) throw new Error('The XML is too large');
    level = level.flatMap(elementsIn);
  }
  return found;
}

export type XmlDocument = { root: Element; elements: Element[] };

/**
 * Reads XML that is well-formed to the letter; what a parser would mend is refused, as the next one would mend it otherwise.
 *
 * @throws {Error} for anything else, a document type (whose entities could grow), too many or too deep elements
 */
export function parseXml(text: string): XmlDocument {
  if (/<!(doctype|entity)/i.test(text)) throw new Error('A document type is not taken');
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
