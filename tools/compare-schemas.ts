// node tools/compare-schemas.ts <folder of migrations> <another> [<moves.tsv>]
// Makes a database from each and says what is not the same; exit 1 where anything is. A moves file names, a line each and
// divided by a tab, what an object of the first is called in the second.
import { readFileSync } from 'node:fs';
import { withFreshDatabase } from './fresh-database.ts';
import { schemaEntries, type SchemaEntries } from './schema-entries.ts';

type Rename = (text: string) => string;

function renameBy(file: string | undefined): Rename {
  if (!file) return text => text;
  const moves = new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.includes('\t') && !line.startsWith('#'))
      .map(line => line.split('\t') as [string, string]),
  );
  return text => text.replaceAll(/(?<!(?:set_config|current_setting)\(')\b[a-z_]+\.[a-z_0-9]+\b/g, name => moves.get(name) ?? name);
}

function renamed(entries: SchemaEntries, rename: Rename): SchemaEntries {
  return new Map([...entries].map(([key, value]) => [rename(key), rename(value)]));
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
const before = renamed(await withFreshDatabase(schemaEntries, first), renameBy(movesFile));
const after = await withFreshDatabase(schemaEntries, second);
const found = differences(before, after);
for (const line of found) console.log(line);
console.log(`${before.size} and ${after.size} objects compared, ${found.length === 0 ? 'all the same' : 'not the same'}`);
process.exitCode = found.length > 0 ? 1 : 0;
