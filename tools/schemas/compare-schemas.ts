// node tools/schemas/compare-schemas.ts <folder of migrations> <another> [<moves.tsv> [<expected.txt>]]
// Makes a database from each and says what is not the same; exit 1 where anything is. A moves file names, a line each and
// divided by a tab, what an object of the first is called in the second; `schema` and a name: one that is new. Expected
// is a file of differences that are meant, a line each as it is printed here.
import { readFileSync } from 'node:fs';
import { withFreshDatabase } from '../fresh-database.ts';
import { schemaEntries, type SchemaEntries } from './schema-entries.ts';

type Moves = { names: Map<string, string>; schemas: string[] };

function readMoves(file: string | undefined): Moves {
  const lines = file
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line.includes('\t'))
    : [];
  const pairs = lines.map(line => line.split('\t') as [string, string]);
  return {
    names: new Map(pairs.filter(([was]) => was !== 'schema')),
    schemas: pairs.filter(([was]) => was === 'schema').map(([, schema]) => schema),
  };
}

/** As the first is to become: under the new names, and with the new schemas open to whom `sync` is. */
function moved(entries: SchemaEntries, { names, schemas }: Moves): SchemaEntries {
  // A setting of a session may be called as a function is.
  const rename = (text: string): string =>
    text.replaceAll(/(?<!(?:set_config|current_setting)\(')\b[a-z_]+\.[a-z_0-9]+\b/g, name => names.get(name) ?? name);
  const renamed: SchemaEntries = new Map([...entries].map(([key, value]) => [rename(key), rename(value)]));
  for (const schema of schemas) renamed.set(`schema ${schema}`, renamed.get('schema sync') ?? '');
  return renamed;
}

/** The lines that only one of two texts has. */
function lineDifference(before: string, after: string): string[] {
  const had = new Set(before.split('\n'));
  const has = new Set(after.split('\n'));
  return [
    ...[...had].filter(line => !has.has(line)).map(line => `    - ${line}`),
    ...[...has].filter(line => !had.has(line)).map(line => `    + ${line}`),
  ];
}

/** What is not the same, each with its details. */
function differences(before: SchemaEntries, after: SchemaEntries): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const was = before.get(key);
    const is = after.get(key);
    if (was === is) continue;
    if (was === undefined) found.set(`only in the second: ${key}`, []);
    else if (is === undefined) found.set(`only in the first: ${key}`, []);
    else found.set(`not the same: ${key}`, lineDifference(was, is));
  }
  return found;
}

const [first, second, movesFile, expectedFile] = process.argv.slice(2);
if (!first || !second)
  throw new Error('node tools/schemas/compare-schemas.ts <folder> <folder> [<moves.tsv> [<expected.txt>]]');
const moves = readMoves(movesFile);
const expected = new Set(expectedFile ? readFileSync(expectedFile, 'utf8').split('\n') : []);
const before = moved(await withFreshDatabase(schemaEntries, first), moves);
const after = await withFreshDatabase(schemaEntries, second);
const found = differences(before, after);
for (const [was, is] of moves.names) console.log(`moved: ${was} -> ${is}`);
for (const [what, details] of found) {
  console.log(`${expected.has(what) ? 'expected: ' : ''}${what}`);
  if (!expected.has(what)) for (const line of details) console.log(line);
}
const unexpected = [...found.keys()].filter(what => !expected.has(what)).length;
console.log(
  `${before.size} and ${after.size} objects compared, ${unexpected === 0 ? 'all as expected' : 'not the same'}`,
);
process.exitCode = unexpected > 0 ? 1 : 0;
