// No folder holds more source files than a reader takes in: what grows beyond that is cut along the nouns of its area.
import { basename, dirname, relative } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';

const MAX_FILES = 60;
const SOURCE = /\.(ts|tsx|css|mjs|sql)$/;
const TEST = /\.(test|spec)\.tsx?$/;
/** Migrations are read in their order, not by name. */
const IN_ORDER = 'supabase/migrations';

const count = new Map<string, number>();
for (const folder of ['packages', 'apps', 'e2e', 'tools', 'bench', 'supabase'])
  for (const path of filesBelow(`${ROOT}/${folder}`)) {
    if (!SOURCE.test(basename(path)) || TEST.test(basename(path))) continue;
    const shown = relative(ROOT, dirname(path));
    if (shown !== IN_ORDER) count.set(shown, (count.get(shown) ?? 0) + 1);
  }
const tooFull = [...count].filter(([, files]) => files > MAX_FILES);
for (const [folder, files] of tooFull) console.log(`${folder}: ${files} source files, ${MAX_FILES} at most`);
process.exitCode = tooFull.length > 0 ? 1 : 0;
