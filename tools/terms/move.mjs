// node move.mjs ROOT TSV  moves files (git mv) and rewrites what names them: specifiers, vi.mock, new URL, paths from the root.
import { readFileSync, writeFileSync, mkdirSync, existsSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
const [root, tsv] = process.argv.slice(2);
const rows = readFileSync(tsv, 'utf8')
  .split('\n')
  .filter(l => l.startsWith('git-mv'))
  .map(l => l.split('\t').slice(1));
const to = new Map(rows);
const back = new Map(rows.map(([a, b]) => [b, a]));
const PKG = {
  '@cairn/sync/': 'packages/sync/src/',
  '@cairn/core/': 'packages/core/src/',
  '@cairn/ui/': 'packages/ui/src/',
  '@cairn/api/': 'packages/api/src/',
  '@cairn/base/': 'packages/base/src/',
  '@cairn/testing/': 'packages/testing/src/',
  '@cairn/supabase-local/': 'packages/supabase-local/src/',
  '@cairn/database/': 'packages/database/src/',
  '@cairn/schema/': 'packages/schema/src/',
  '@cairn/local-server/': 'apps/local-server/src/',
};
for (const [a, b] of rows) {
  if (!existsSync(`${root}/${a}`)) {
    console.error('no file:', a);
    continue;
  }
  mkdirSync(path.dirname(`${root}/${b}`), { recursive: true });
  execFileSync('git', ['mv', a, b], { cwd: root });
}
const files = execFileSync(
  'git',
  [
    'ls-files',
    'packages',
    'apps',
    'supabase',
    'e2e',
    'tools',
    'bench',
    'vitest.config.ts',
    'package.json',
    'knip.json',
    'knip.production.json',
    '.dependency-cruiser.cjs',
  ],
  { cwd: root, maxBuffer: 1e8 },
)
  .toString()
  .split('\n')
  .filter(f => /\.(ts|tsx|mjs|cjs|css|html)$|^[a-z.]+json$/.test(f) && existsSync(`${root}/${f}`));
for (const f of files) {
  const text = readFileSync(`${root}/${f}`, 'utf8');
  const was = back.get(f) ?? f;
  const next = text
    .replace(/(['"`])((?:\.{1,2}\/|@cairn\/)[^'"`\n]+)\1/g, (all, q, spec) => {
      const pkg = Object.keys(PKG).find(p => spec.startsWith(p));
      const target = pkg
        ? PKG[pkg] + spec.slice(pkg.length)
        : path.posix.normalize(path.posix.join(path.posix.dirname(was), spec));
      const now = to.get(target) ?? target;
      if (now === target && was === f) return all;
      if (pkg) return now === target ? all : q + pkg + now.slice(PKG[pkg].length) + q;
      if (!to.has(target) && !existsSync(`${root}/${target}`)) return all;
      let rel = path.posix.relative(path.posix.dirname(f), now);
      if (!rel.startsWith('.')) rel = `./${rel}`;
      return q + rel + q;
    })
    .replace(/\b(?:packages|apps|supabase|e2e|tools|bench)\/[\w./-]+\.(?:tsx?|css)\b/g, p => to.get(p) ?? p);
  if (next !== text) writeFileSync(`${root}/${f}`, next);
}
