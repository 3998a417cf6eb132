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

/** Documents of `added` take the place of those with their key or of their record, and stand after the others where there is none. */
export function joined(contents: PackContents, added: PackContents, own: OwnIds = NO_IDS): PackContents {
  return {
    schema: 1,
    variables: joinedList(contents.variables, added.variables),
    policies: joinedList(contents.policies, placed('policies', contents.policies, { added: added.policies, own })),
    forms: joinedList(contents.forms, placed('forms', contents.forms, { added: added.forms, own })),
    tasks: joinedList(contents.tasks, added.tasks),
  };
}

type PackAdditions<D> = { added: readonly D[]; own: OwnIds };

/** What is added, under the key its record has in the contents already. */
function placed<D extends { key: string }>(part: OwnPart, here: readonly D[], { added, own }: PackAdditions<D>): D[] {
  return added.map(document => {
    const id = recordOf(part, document.key, own);
    if (id === undefined || here.some(({ key }) => key === document.key)) return document;
    const before = here.find(({ key }) => recordOf(part, key, own) === id);
    return before ? { ...document, key: before.key } : document;
  });
}

function joinedList<D extends { key: string }>(here: readonly D[], added: readonly D[]): D[] {
  const anew = new Map(added.map(each => [each.key, each]));
  const known = new Set(here.map(({ key }) => key));
  return [...here.map(each => anew.get(each.key) ?? each), ...added.filter(({ key }) => !known.has(key))];
}

const NAMED = /\{\{([a-z][a-z0-9_]{0,59})\}\}/g;

/** Keys of the words that texts of the documents name, in the order they are first named. */
export function namedTexts({ policies, forms, tasks }: PackContents): string[] {
  const text = JSON.stringify([policies, forms, tasks]);
  return [...new Set([...text.matchAll(NAMED)].flatMap(([, name]) => name ?? []))];
}

/** What is asked for at install: one word for each that is named, said as before where it was. Words nothing names are let go. */
export function withVariableTexts(contents: PackContents): PackContents {
  const known = new Map(contents.variables.map(variable => [variable.key, variable]));
  const variables = namedTexts(contents).map((key): PackVariable => known.get(key) ?? { key, label: labelOf(key) });
  return { ...contents, variables };
}

/** `name_of_site` as `Name of site`. */
function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The parts that are made of an organisation’s own records. */
type OwnPart = 'policies' | 'forms';
/** Ids of every record an organisation has, also of those that are archived or removed. */
export type OwnIds = Readonly<Record<OwnPart, readonly string[]>>;
export const NO_IDS: OwnIds = { policies: [], forms: [] };

const PREFIX = { policies: 'p', forms: 'f' } as const;

/** The key the server gives a document that is made of an organisation’s own record (`pack_contents_of`). */
export const keyOfOwn = (part: OwnPart, id: string): string => `${PREFIX[part]}-${id.replaceAll('-', '')}`;

/** The key it gave before: records made within the same minute begin alike. */
const shortKeyOf = (part: OwnPart, id: string): string => `${PREFIX[part]}-${id.slice(0, 8)}`;

/** The record a key stands for; undefined where it stands for none, or for one of several. */
function recordOf(part: OwnPart, key: string, own: OwnIds): string | undefined {
  const found = own[part].filter(id => key === keyOfOwn(part, id) || key === shortKeyOf(part, id));
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a document of this key was made of that record. */
export const isOfRecord = (part: OwnPart, key: string, { id, own }: { id: string; own: OwnIds }): boolean =>
  key === keyOfOwn(part, id) || recordOf(part, key, own) === id;

/** The keys under which these versions of a pack offer documents. */
export const offeredKeys = (versions: readonly PackContents[]): Set<string> =>
  new Set(
    versions.flatMap(({ policies, forms }) => [...policies.map(({ key }) => key), ...forms.map(({ key }) => key)]),
  );

/** Short keys written whole. Those that are offered stay: whoever has the pack knows the document by its key. */
export function withWholeKeys(contents: PackContents, own: OwnIds, offered: ReadonlySet<string>): PackContents {
  const whole = <D extends { key: string }>(part: OwnPart, documents: readonly D[]): D[] => {
    const keys = new Set(documents.map(({ key }) => key));
    return documents.map(document => {
      const id = recordOf(part, document.key, own);
      const key = id === undefined ? document.key : keyOfOwn(part, id);
      return keys.has(key) || offered.has(document.key) ? document : { ...document, key };
    });
  };
  return { ...contents, policies: whole('policies', contents.policies), forms: whole('forms', contents.forms) };
}
