// node tools/compare-schemas.ts <folder of migrations> <another> [<moves.tsv>]
// Makes a database from each and says what is not the same; exit 1 where anything is. A moves file names, a line each and
// divided by a tab, what an object of the first is called in the second; `schema` and a name: one that is new.
import { readFileSync } from 'node:fs';
import { withFreshDatabase } from './fresh-database.ts';
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

function differences(before: SchemaEntries, after: SchemaEntries): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return keys.flatMap(key => {
    const was = before.get(key);
    const is = after.get(key);
    if (was === is) return [];
    if (was === undefined) return [`only in the second: ${key}`];
    if (is === undefined) return [`only in the first: ${key}`];
    return [`not the same: ${key}`, ...lineDifference(was, is)];
  });
}

const [first, second, movesFile] = process.argv.slice(2);
if (!first || !second) throw new Error('node tools/compare-schemas.ts <folder> <folder> [<moves.tsv>]');
const moves = readMoves(movesFile);
const before = moved(await withFreshDatabase(schemaEntries, first), moves);
const after = await withFreshDatabase(schemaEntries, second);
const found = differences(before, after);
for (const line of found) console.log(line);
for (const [was, is] of moves.names) console.log(`moved: ${was} -> ${is}`);
console.log(
  `${before.size} and ${after.size} objects compared, ${found.length === 0 ? 'all the same' : 'not the same'}`,
);
process.exitCode = found.length > 0 ? 1 : 0;
