import { DocumentError } from './word-problem.ts';
import { type WordElement } from './word-xml.ts';

/** Reads a part by its name; null where there is none. */
export type ReadPart = (name: string) => Promise<WordElement | null>;

/** Parts that the converter reads beside the main one. */
const BESIDE = ['styles', 'numbering', 'footnotes', 'endnotes', 'comments', 'settings'] as const;
export type WordParts = { main: string } & Record<(typeof BESIDE)[number], string | null>;

type Relationship = { id: string; type: string; isStrict: boolean; target: string; isExternal: boolean };

const CONTENT_TYPES = '[Content_Types].xml';
const MAIN_TYPE = /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document\.main\+xml$/i;
const ANY_MAIN = /\.main\+xml$/i;
const MACRO_TYPE = /macroEnabled|vbaProject|vbaData|activeX/i;
const STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships/';
const OFFICE = ['http://schemas.openxmlformats.org/officeDocument/2006/relationships/', STRICT];

/** What a person taps, and pictures: of these an address elsewhere is only an address. Whatever else comes from elsewhere is fetched. */
const MAY_LEAD_OUT = new Set(['hyperlink', 'image']);
const INSERTED = new Set(['aFChunk', 'subDocument']);

/** `styles` of a relationship's type, in both dialects; the type itself for what is none of the format's own. */
function shortType(type: string): string {
  const space = OFFICE.find(each => type.startsWith(each));
  return space === undefined ? type : type.slice(space.length);
}

export const relationshipsOf = (name: string): string => {
  const slash = name.lastIndexOf('/');
  return `${name.slice(0, slash + 1)}_rels/${name.slice(slash + 1)}.rels`;
};

function attribute(element: WordElement, name: string): string {
  return element.attributes.get(name) ?? '';
}

/**
 * Relationships of a part.
 *
 * @throws {DocumentError} `active` where something would be fetched, `linked` where another document is put in, `damaged` for what can be read
 *   in two ways
 */
export function relationshipsIn(root: WordElement | null): Relationship[] {
  if (!root) return [];
  if (root.name !== 'relationships:Relationships') throw new DocumentError('damaged', `${root.name} in relationships`);
  const found = root.children.map(each => {
    if (each.name !== 'relationships:Relationship') throw new DocumentError('damaged', `${each.name} in relationships`);
    const isExternal = attribute(each, 'TargetMode').toLowerCase() === 'external';
    const type = attribute(each, 'Type');
    const isStrict = type.startsWith(STRICT);
    return {
      id: attribute(each, 'Id'),
      type: shortType(type),
      isStrict,
      target: attribute(each, 'Target'),
      isExternal,
    };
  });
  for (const { type, isExternal } of found) {
    if (isExternal && !MAY_LEAD_OUT.has(type)) throw new DocumentError('active', `${type} comes from elsewhere`);
    if (INSERTED.has(type)) throw new DocumentError('linked', type);
    if (/vbaProject|\/activeX|^control$/i.test(type)) throw new DocumentError('macros', type);
  }
  if (new Set(found.map(({ id }) => id)).size < found.length)
    throw new DocumentError('damaged', 'an id stands there twice');
  return found;
}

/** Types by name, and by the end of a name; each once. */
function contentTypes(root: WordElement): (name: string) => string {
  const [defaults, overrides] = [new Map<string, string>(), new Map<string, string>()];
  for (const each of root.children) {
    const isDefault = each.name === 'content-types:Default';
    if (!isDefault && each.name !== 'content-types:Override')
      throw new DocumentError('damaged', `${each.name} in types`);
    const key = attribute(each, isDefault ? 'Extension' : 'PartName').toLowerCase();
    const type = attribute(each, 'ContentType');
    if (MACRO_TYPE.test(type)) throw new DocumentError('macros', type);
    const map = isDefault ? defaults : overrides;
    if (map.has(key)) throw new DocumentError('damaged', `${key} has two types`);
    map.set(key, type);
  }
  return name =>
    overrides.get(`/${name.toLowerCase()}`) ?? defaults.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? '';
}

/** Where a target lies as every reader finds it: a plain path, from the folder or from the top. */
function plainTarget(folder: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : folder + target;
  const isPlain = /^[\w./-]+$/.test(path) && !path.split('/').some(each => /^\.*$/.test(each));
  if (!isPlain) throw new DocumentError('damaged', `${target} is no plain name`);
  return path;
}

type PartQuery = {
  type: string;
  folder: string;
  /** What the converter takes where it finds none of this type. */ usual: string;
};

/** @throws {DocumentError} `damaged` where Word and the converter would find different parts */
function partOfType(
  relationships: readonly Relationship[],
  { type, folder, usual }: PartQuery,
  names: ReadonlySet<string>,
) {
  const [first, second] = relationships.filter(each => each.type === type);
  if (second) throw new DocumentError('damaged', `two parts are ${type}`);
  const path = first ? plainTarget(folder, first.target) : null;
  if (path !== null && !names.has(path)) throw new DocumentError('damaged', `there is no ${path}`);
  // The converter knows the types of the transitional dialect alone; else it takes what is called as usual.
  const converted = first && !first.isStrict ? path : usual;
  if (converted !== path && (path !== null || names.has(usual)))
    throw new DocumentError('damaged', `${usual} is not ${path}`);
  return path;
}

/** The part that is the document: the one the package names, the only one of that type, in the folder where the converter looks for pictures. */
async function mainPart(read: ReadPart, names: ReadonlySet<string>): Promise<string> {
  const types = await read(CONTENT_TYPES);
  if (types?.name !== 'content-types:Types') throw new DocumentError('unknown', 'it says of no part what it is');
  const typeOf = contentTypes(types);
  const mains = [...names].filter(name => ANY_MAIN.test(typeOf(name)));
  const [main] = mains;
  if (main === undefined || mains.length > 1 || !MAIN_TYPE.test(typeOf(main)))
    throw new DocumentError('unknown', mains.join());
  const wanted = { type: 'officeDocument', folder: '', usual: 'word/document.xml' };
  const named = partOfType(relationshipsIn(await read('_rels/.rels')), wanted, names);
  if (named !== main || !/^word\/[\w.-]+\.xml$/.test(main))
    throw new DocumentError('damaged', `${named} is not ${main}`);
  return main;
}

/**
 * Which parts are the document, its styles and its notes: by types and relationships, as Word finds them, and only where the converter
 * finds the same.
 *
 * @throws {DocumentError} `unknown` for what is no Word document, else as `relationshipsIn`
 */
export async function wordParts(read: ReadPart, names: ReadonlySet<string>): Promise<WordParts> {
  const main = await mainPart(read, names);
  const relationships = relationshipsIn(await read(relationshipsOf(main)));
  const beside = BESIDE.map(type => {
    const wanted = { type, folder: 'word/', usual: `word/${type}.xml` };
    return [type, partOfType(relationships, wanted, names)] as const;
  });
  return { main, ...(Object.fromEntries(beside) as Record<(typeof BESIDE)[number], string | null>) };
}

/** Where pictures of a part lie, by the ids they are shown by. */
export const targetsById = (relationships: readonly Relationship[]): ReadonlyMap<string, string> =>
  new Map(relationships.map(({ id, target }) => [id, target]));
