/** What a file is, by what is in it. */
export type FileKind =
  | 'form'
  | 'catalogue'
  | 'profile'
  | 'poam'
  | 'oscal'
  | 'policy'
  | 'pdf'
  | 'word'
  | 'geojson'
  | 'csv'
  | 'picture'
  | 'unknown';

/** Where a file can be imported. */
type ImportPlace = 'form' | 'framework' | 'poam' | 'policy';

const PLACE_OF: Partial<Record<FileKind, ImportPlace>> = {
  form: 'form',
  catalogue: 'framework',
  profile: 'framework',
  poam: 'poam',
  policy: 'policy',
};

/** Letters looked at. */
const HEAD = 4000;
const OSCAL: readonly (readonly [string, FileKind])[] = [
  ['catalog', 'catalogue'],
  ['profile', 'profile'],
  ['plan-of-action-and-milestones', 'poam'],
  ['system-security-plan', 'oscal'],
  ['component-definition', 'oscal'],
  ['assessment-plan', 'oscal'],
  ['assessment-results', 'oscal'],
];

const OSCAL_YAML = new RegExp(
  `^(?:---\\s+|#.*\\s+)*(?:${OSCAL.map(([key]) => key).join('|')}):\\s*\\n\\s+(?:uuid|metadata):`,
);

/** What a file is, as far as its beginning and its name tell. @param name with its ending */
export function fileKind(bytes: Uint8Array, name: string): FileKind {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  if (head.startsWith('%PDF-')) return 'pdf';
  if (head.startsWith('PK')) return kindOfZip(bytes, name);
  if (/^(\u00ff\u00d8\u00ff|\u0089PNG|GIF8|RIFF....WEBP)/s.test(head)) return 'picture';
  const text = head.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  if (text.startsWith('{')) return kindOfJsonText(text);
  if (text.startsWith('<')) return kindOfMarkup(text, name);
  if (/\.(md|markdown)$/i.test(name)) return 'policy';
  if (OSCAL_YAML.test(text)) return 'oscal';
  return /\.csv$/i.test(name) ? 'csv' : 'unknown';
}

/** Word puts its parts into a folder of that name, which the directory at the end of a zip lists; of a beginning its name tells. */
function kindOfZip(bytes: Uint8Array, name: string): FileKind {
  const tail = new TextDecoder('latin1').decode(bytes.subarray(-20_000));
  if (tail.includes('word/document.xml')) return 'word';
  if (tail.includes('xl/workbook.xml')) return 'form';
  if (bytes.length > HEAD) return 'unknown';
  return /\.docx$/i.test(name) ? 'word' : /\.xlsx$/i.test(name) ? 'form' : 'unknown';
}

/** What a file in JSON is, once it is read. */
export function kindOfJson(json: unknown): FileKind {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'unknown';
  const found = OSCAL.find(([key]) => Object.hasOwn(json, key));
  if (found) return found[1];
  if ('type' in json && ['FeatureCollection', 'Feature'].includes(String(json.type))) return 'geojson';
  return 'format' in json && 'items' in json ? 'form' : 'unknown';
}

/** The same by its beginning: a large file is not read for it. */
function kindOfJsonText(text: string): FileKind {
  const found = OSCAL.find(([key]) => new RegExp(`^\\{[^{}]*"${key}"\\s*:\\s*\\{`).test(text));
  if (found) return found[1];
  if (/"type"\s*:\s*"(FeatureCollection|Feature)"/.test(text)) return 'geojson';
  return /"format"\s*:\s*\d/.test(text) ? 'form' : 'unknown';
}

function kindOfMarkup(text: string, name: string): FileKind {
  if (/<(?:\w+:)?html[\s>]/i.test(text) && /xforms|openrosa|\.xml$/i.test(`${text}${name}`)) return 'form';
  if (/csrc\.nist\.gov\/ns\/oscal/.test(text)) return 'oscal';
  return 'unknown';
}

/** What each kind is called, and where it belongs. */
const SENTENCES: Record<Exclude<FileKind, 'unknown'>, string> = {
  form: 'This is a form: import it under Field operations, Forms.',
  catalogue: 'This is an OSCAL catalogue: import it under Frameworks.',
  profile: 'This is an OSCAL profile: resolve it to a catalogue, then import that under Frameworks.',
  poam: 'This is an OSCAL plan of action and milestones: import it under Frameworks, Plans of action.',
  oscal: 'This is an OSCAL file of a kind that is not imported: a catalogue or a plan of action in JSON is.',
  policy: 'This is a text in Markdown: import it under Policies.',
  pdf: 'This is a PDF: a policy can rest on it, so add it under Policies.',
  word: 'This is a Word document: a policy can rest on it, so add it under Policies.',
  geojson: 'These are places in GeoJSON: choose the file together with the form that offers them.',
  csv: 'This is a table in CSV: choose it together with the form that uses it, or import tasks from it under Tasks.',
  picture: 'This is a picture: choose it together with the form that shows it.',
};

/** What a file is and where it belongs, in one sentence; null where it may belong here. */
export function elsewhereSentence(bytes: Uint8Array, name: string, here: ImportPlace): string | null {
  const kind = fileKind(bytes, name);
  return kind === 'unknown' || PLACE_OF[kind] === here ? null : SENTENCES[kind];
}
