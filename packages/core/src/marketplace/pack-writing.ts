import type { PackContents, PackVariable } from './pack-contents.ts';

/** The parts of a pack that hold documents. */
export type PackPart = 'policies' | 'forms' | 'tasks';
export type PackDocument<P extends PackPart = PackPart> = PackContents[P][number];

/** Contents without a document, as a draft can be while it is written; `readContents` refuses them. */
export const NO_CONTENTS: PackContents = { schema: 1, variables: [], policies: [], forms: [], tasks: [] };

/** One document written anew; the others, and all order, stay as they are. */
export function withDocument<P extends PackPart>(
  contents: PackContents,
  part: P,
  document: PackDocument<P>,
): PackContents {
  const documents: readonly PackDocument<P>[] = contents[part];
  return { ...contents, [part]: documents.map(each => (each.key === document.key ? document : each)) };
}

/** The contents without one document. */
export function withoutDocument(contents: PackContents, part: PackPart, key: string): PackContents {
  const documents: readonly PackDocument[] = contents[part];
  return { ...contents, [part]: documents.filter(each => each.key !== key) };
}

/** Documents of `added` take the place of those with their key, and stand after the others where there is none. */
export function joined(contents: PackContents, added: PackContents): PackContents {
  return {
    schema: 1,
    variables: joinedList(contents.variables, added.variables),
    policies: joinedList(contents.policies, added.policies),
    forms: joinedList(contents.forms, added.forms),
    tasks: joinedList(contents.tasks, added.tasks),
  };
}

function joinedList<D extends { key: string }>(here: readonly D[], added: readonly D[]): D[] {
  const anew = new Map(added.map(each => [each.key, each]));
  const known = new Set(here.map(({ key }) => key));
  return [...here.map(each => anew.get(each.key) ?? each), ...added.filter(({ key }) => !known.has(key))];
}

const NAMED = /\{\{([a-z][a-z0-9_]{0,59})\}\}/g;

/** Keys of the words that texts of the documents name, in the order they are first named. */
export function namedWords({ policies, forms, tasks }: PackContents): string[] {
  const text = JSON.stringify([policies, forms, tasks]);
  return [...new Set([...text.matchAll(NAMED)].flatMap(([, name]) => name ?? []))];
}

/** What is asked for at install: one word for each that is named, said as before where it was. Words nothing names are let go. */
export function withAskedWords(contents: PackContents): PackContents {
  const known = new Map(contents.variables.map(variable => [variable.key, variable]));
  const variables = namedWords(contents).map((key): PackVariable => known.get(key) ?? { key, label: labelOf(key) });
  return { ...contents, variables };
}

/** `name_of_site` as `Name of site`. */
function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The key the server gives a document that is made of an organisation’s own record (`pack_contents_of`). */
export const keyOfOwn = (part: 'policies' | 'forms', id: string): string =>
  `${part === 'policies' ? 'p' : 'f'}-${id.replaceAll('-', '')}`;
