// node tools/squash/rename-callers.mjs <renames.tsv>
// Names the moved functions by their new schema wherever a file of the repository names them.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const moves = new Map(
  readFileSync(process.argv[2], 'utf8')
    .split('\n')
    .filter(line => line.startsWith('sync.'))
    .map(line => line.split('\t')),
);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\n')
  .filter(name => /\.(ts|tsx|mjs|sql|md|json|sh|yml)$/.test(name))
  .filter(name => !/^(supabase\/(migrations|generated)|tools\/squash|node_modules)\/|package-lock\.json$/.test(name));

let changed = 0;
for (const name of files) {
  let text;
  try {
    text = readFileSync(name, 'utf8');
  } catch {
    continue; // listed and deleted
  }
  const next = text.replaceAll(
    /(?<!(?:set_config|current_setting)\(')\bsync\.[a-z_0-9]+\b/g,
    found => moves.get(found) ?? found,
  );
  if (next === text) continue;
  writeFileSync(name, next);
  changed += 1;
  console.log(name);
}
console.log(`${changed} files name moved functions anew`);
