// node text.mjs ROOT TSV   lines: file<TAB>text<TAB>text, replaced wherever it stands in the file. Run after rename.mjs, before the files move: keys in string literals and literals nothing types.
import { readFileSync, writeFileSync } from 'node:fs';
const [root, tsv] = process.argv.slice(2);
for (const line of readFileSync(tsv, 'utf8').split('\n')) {
  if (!line.trim() || line.startsWith('#')) continue;
  const [file, from, to] = line.split('\t');
  const path = `${root}/${file}`;
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) console.error('not found:', file, from);
  else writeFileSync(path, text.replaceAll(from, to));
}
