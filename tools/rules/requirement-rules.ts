/** How near to what a person has: a browser, HTTP against a started server, the real database, or code alone. */
export const LAYERS = ['browser', 'wire', 'database', 'unit'] as const;
export type Layer = (typeof LAYERS)[number];

/** A test that names a requirement row: its file and the whole title. */
export type Proof = { path: string; title: string };
/** A requirement row with the tests that name it, by layer. */
export type NamedRow = { id: string; tests: Readonly<Record<Layer, readonly Proof[]>> };

/** How many rows each section of the requirements has: R2.01 to R2.42 and so on. */
const ROWS_PER_SECTION = { R2: 42, R3: 41, R4: 36, R5: 11, R6: 28, R7: 27, R8: 49, R9: 25 } as const;

/** Every row there is, by number. */
export const everyRow = (): string[] =>
  Object.entries(ROWS_PER_SECTION).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${String(index + 1).padStart(2, '0')}`),
  );

const ID = /\bR[2-9]\.\d{2,3}\b/g;

/** The layer of a test file, by its place and its name. */
export function layerOf(path: string): Layer {
  if (path.startsWith('e2e/')) return 'browser';
  if (path.endsWith('.client.test.ts')) return 'wire';
  if (path.startsWith('apps/local-server/') && path.endsWith('.db.test.ts')) return 'wire';
  return path.startsWith('supabase/tests/') || path.endsWith('.db.test.ts') ? 'database' : 'unit';
}

/** What follows the table of `.each`: the call with the title. */
function afterTable(text: string): string {
  if (text.startsWith('`')) return text.slice(text.indexOf('`', 1) + 1).trimStart();
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (`'"\``.includes(char)) quote = char;
    else if (text.startsWith('//', at)) at = text.indexOf('\n', at);
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return text.slice(at + 1).trimStart();
  }
  return '';
}

/** The titles of the tests and groups of a file; a skipped one has none. */
export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  for (const call of source.matchAll(/\b(?:test|it|describe)((?:\.\w+)*)\s*[(`]/g)) {
    const modifiers = call[1] ?? '';
    if (/\.(skip|todo|fixme)/.test(modifiers)) continue;
    const rest = source.slice(call.index + call[0].length - 1);
    const title = /^\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/.exec(
      /\.(each|for)/.test(modifiers) ? afterTable(rest) : rest,
    );
    if (title) titles.push(title[2] ?? '');
  }
  return titles;
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** Every row that a test names in its title, by number, with those tests. */
export function namedRows(files: Iterable<{ path: string; source: string }>): NamedRow[] {
  const rows = new Map<string, Record<Layer, Proof[]>>();
  for (const { path, source } of files)
    for (const title of titlesIn(source))
      for (const id of new Set(title.match(ID) ?? [])) {
        const tests = rows.get(id) ?? { browser: [], wire: [], database: [], unit: [] };
        tests[layerOf(path)].push({ path, title });
        rows.set(id, tests);
      }
  return [...rows].map(([id, tests]) => ({ id, tests })).toSorted((a, b) => byNumber(a.id, b.id));
}

const isByUnitAlone = ({ tests }: NamedRow): boolean =>
  tests.browser.length + tests.wire.length + tests.database.length === 0;

/** The files of some tests, each once. */
export const filesOf = (proofs: readonly Proof[]): string[] => [...new Set(proofs.map(({ path }) => path))];

/** By row: why a unit test is all it has, and what has to be built before any test can name it. */
export type Reasons = Readonly<Record<'unitOnly' | 'open', Readonly<Record<string, string>>>>;

/**
 * What is wrong with the proofs, one line each: a row that no test names and that is not listed as open, one that nothing but unit
 * tests names and that has no reason for it, and a reason that is not needed.
 */
export function proofProblems(rows: readonly NamedRow[], { unitOnly: reasons, open }: Reasons): string[] {
  const named = new Set(rows.map(({ id }) => id));
  const unnamed = everyRow()
    .filter(id => !named.has(id) && (open[id] ?? '').trim() === '')
    .map(id => `${id} is named by no test and is not listed as open`);
  const claimed = Object.keys(open)
    .filter(id => named.has(id))
    .map(id => `${id} is listed as open, and a test names it`);
  const alone = new Map(rows.filter(isByUnitAlone).map(row => [row.id, row]));
  const unreasoned = [...alone.values()]
    .filter(({ id }) => (reasons[id] ?? '').trim() === '')
    .map(({ id, tests }) => `${id} is named by unit tests alone (${filesOf(tests.unit).join(', ')})`);
  const unneeded = Object.keys(reasons)
    .filter(id => !alone.has(id))
    .map(id => `${id} has a reason for being proven by unit tests alone, and is not`);
  return [...unnamed, ...claimed, ...unreasoned, ...unneeded];
}
