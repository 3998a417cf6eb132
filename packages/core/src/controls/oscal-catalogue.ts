import { fileKind, type FileKind, kindOfJson } from '../files/file-kind.ts';

/** One control as it is taken over; `statement` is plain text, its list items led by their labels. */
export type CatalogueControl = { code: string; label: string; title: string; family: string; statement: string };

export type Catalogue = {
  title: string;
  edition: string | null;
  sourceId: string | null;
  controls: CatalogueControl[];
  families: number;
};

export type CatalogueProblem =
  | 'too_large'
  | 'not_json'
  | 'not_oscal'
  | 'profile'
  | 'empty'
  | 'too_many'
  | 'twice'
  | 'lost_control'
  // What it is instead, and belongs elsewhere.
  | 'is_poam'
  | 'is_form'
  | 'is_policy'
  | 'is_document'
  | 'no_json_oscal'
  | 'other_oscal';
export type CatalogueResult = { ok: true; catalogue: Catalogue } | { ok: false; problem: CatalogueProblem };

/** Letters of the file; the whole of SP 800-53 has 6 million. */
export const MAX_CATALOGUE_CHARS = 20_000_000;
/** The whole of SP 800-53 has 1,196, withdrawn ones counted; a push takes them in parts. */
const MAX_CONTROLS = 5000;
/** What a statement may hold, in letters (the table says the same). */
const MAX_STATEMENT_LENGTH = 40_000;
/** Groups and parts deeper than this are no catalogue. */
const MAX_DEPTH = 20;

type Data = Record<string, unknown>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The prop named `label` that people read: one without a class before one with. */
function labelOf(of: Data): string {
  const labels = list(of['props']).filter(({ name }) => name === 'label');
  const plain = labels.find(({ class: kind }) => kind === undefined) ?? labels[0];
  return text(plain?.['value']);
}

/** What stands in the place of a parameter: its value, its choices, or what it asks for, in brackets. */
function parameterText(of: Data): string {
  const values = Array.isArray(of['values']) ? of['values'].map(text).filter(Boolean) : [];
  if (values.length > 0) return values.join(', ');
  const choices = isData(of['select']) && Array.isArray(of['select']['choice']) ? of['select']['choice'].map(text) : [];
  // OSCAL: without a word on how many, it is one.
  const several = isData(of['select']) && text(of['select']['how-many']) === 'one-or-more' ? 'one or more: ' : '';
  return `[${choices.length > 0 ? several + choices.join(' / ') : text(of['label']) || text(of['id'])}]`;
}

/** Before OSCAL 1.0 a parameter stood there by its name alone. */
const INSERTION = /\{\{\s*(?:insert:\s*param,\s*)?([^\s}]+)\s*\}\}/g;

/** Parameters may stand in the choices of others: a few rounds are enough, and a circle ends. */
function filledIn(prose: string, parameters: ReadonlyMap<string, string>): string {
  let filled = prose;
  for (let round = 0; round < 3 && filled.includes('{{'); round += 1)
    filled = filled.replaceAll(INSERTION, (whole, id: string) => parameters.get(id) ?? whole);
  return filled;
}

function proseOf(part: Data, parameters: ReadonlyMap<string, string>, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  const own = [labelOf(part), filledIn(text(part['prose']), parameters)].filter(Boolean).join(' ');
  const inner = list(part['parts']).flatMap(each => proseOf(each, parameters, depth + 1));
  return [...(own === '' ? [] : ['  '.repeat(Math.max(0, depth - 1)) + own]), ...inner];
}

type Parameters = ReadonlyMap<string, string>;

/** Parameters of a catalogue, group or control, with those of what it stands in; its own come first. */
const parametersOf = (of: Data, around: Parameters): Parameters =>
  new Map([...around, ...list(of['params']).map((each): [string, string] => [text(each['id']), parameterText(each)])]);

/** Every parameter of a catalogue: a control may name one of another. */
function everyParameter(of: Data, depth = 0): [string, string][] {
  if (depth > MAX_DEPTH) return [];
  const inner = [...list(of['groups']), ...list(of['controls'])].flatMap(each => everyParameter(each, depth + 1));
  return [...inner, ...parametersOf(of, new Map())];
}

function controlOf(of: Data, family: string, around: Parameters): CatalogueControl | null {
  // An id of OSCAL begins with no figure: 5.10 is written _5.10.
  const code = text(of['id'])
    .replace(/^_+(?=[A-Za-z0-9])/, '')
    .toLowerCase();
  const title = text(of['title']);
  if (!/^[a-z0-9][a-z0-9._-]{0,49}$/.test(code) || title === '') return null;
  const parameters = parametersOf(of, around);
  const statements = list(of['parts']).filter(({ name }) => name === 'statement');
  const lines = statements.flatMap(part => proseOf(part, parameters));
  const words = { title: title.slice(0, 300), family: family.slice(0, 200) };
  const label = (labelOf(of) || code.toUpperCase()).slice(0, 50);
  return { code, label, ...words, statement: lines.join('\n').slice(0, MAX_STATEMENT_LENGTH) };
}

/** Controls with the enhancements inside them, in their order; what was withdrawn asks for nothing. Null: one that cannot be taken. */
function controlsIn(
  of: Data,
  family: string,
  { depth, around }: { depth: number; around: Parameters },
): (CatalogueControl | null)[] {
  if (depth > MAX_DEPTH) return [];
  const inside = { depth: depth + 1, around: parametersOf(of, around) };
  const own = list(of['controls']).flatMap(each => {
    const isWithdrawn = list(each['props']).some(
      ({ name, value }) => text(name) === 'status' && text(value).toLowerCase() === 'withdrawn',
    );
    const control = isWithdrawn ? [] : [controlOf(each, family, inside.around)];
    return [...control, ...controlsIn(each, family, inside)];
  });
  const inner = list(of['groups']).flatMap(group => controlsIn(group, text(group['title']) || family, inside));
  return [...own, ...inner];
}

/** What belongs elsewhere, by what it is. */
const ELSEWHERE: Partial<Record<FileKind, CatalogueProblem>> = {
  poam: 'is_poam',
  form: 'is_form',
  policy: 'is_policy',
  pdf: 'is_document',
  word: 'is_document',
  oscal: 'no_json_oscal',
};

/**
 * Reads an OSCAL catalogue, or a profile that was resolved to one, in JSON.
 *
 * Source: NIST OSCAL 1.1 catalog model. A profile that only names controls of another file is refused (`profile`): what
 * it names is not in it.
 *
 * @param name the file's, by which a text in Markdown is known
 */
export function readCatalogue(json: string, name = ''): CatalogueResult {
  if (json.length > MAX_CATALOGUE_CHARS) return { ok: false, problem: 'too_large' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    // Whatever is wrong with it, the person can only bring another file.
    return {
      ok: false,
      problem: ELSEWHERE[fileKind(new TextEncoder().encode(json.slice(0, 4000)), name)] ?? 'not_json',
    };
  }
  if (isData(parsed) && isData(parsed['profile'])) return { ok: false, problem: 'profile' };
  const catalog = isData(parsed) ? parsed['catalog'] : null;
  if (!isData(catalog)) {
    const kind = kindOfJson(parsed);
    return { ok: false, problem: kind === 'oscal' ? 'other_oscal' : (ELSEWHERE[kind] ?? 'not_oscal') };
  }
  const metadata = isData(catalog['metadata']) ? catalog['metadata'] : {};
  const title = text(metadata['title']).slice(0, 300) || 'OSCAL';
  const found = controlsIn(catalog, title, { depth: 0, around: new Map(everyParameter(catalog)) });
  const controls = found.filter(control => control !== null);
  if (controls.length === 0) return { ok: false, problem: 'empty' };
  if (controls.length < found.length) return { ok: false, problem: 'lost_control' };
  if (controls.length > MAX_CONTROLS) return { ok: false, problem: 'too_many' };
  if (new Set(controls.map(({ code }) => code)).size < controls.length) return { ok: false, problem: 'twice' };
  return {
    ok: true,
    catalogue: {
      title,
      edition: text(metadata['version']).slice(0, 100) || null,
      sourceId: text(catalog['uuid']).slice(0, 100) || null,
      controls,
      families: new Set(controls.map(({ family }) => family)).size,
    },
  };
}
