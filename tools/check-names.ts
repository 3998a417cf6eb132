// File names: kebab-case, and no drawer names that say nothing of what is inside (style rule 1).
import { basename, relative } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';

const DRAWERS = /^(utils?|helpers?|common|misc|manager|types|index)\./;
const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
const ALLOWED = new Set(['packages/schema/src/index.ts', 'apps/web/index.html']);
/** The platform takes a function by the name of its folder. */
const FUNCTION = /^supabase\/functions\/[a-z-]+\/index\.ts$/;

const bad: string[] = [];
for (const folder of ['packages', 'apps', 'e2e', 'tools', 'supabase/functions']) {
  for (const path of filesBelow(`${ROOT}/${folder}`)) {
    const name = basename(path);
    const shown = relative(ROOT, path);
    if (!/\.(ts|tsx|css|mjs)$/.test(name) || ALLOWED.has(shown) || FUNCTION.test(shown)) continue;
    if (shown.includes('/routes/')) continue;
    if (DRAWERS.test(name) || !KEBAB.test(name)) bad.push(shown);
  }
}
for (const path of bad) console.log(`${path}: name it for the thing inside, in kebab-case`);
process.exitCode = bad.length > 0 ? 1 : 0;
