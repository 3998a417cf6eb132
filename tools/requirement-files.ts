import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';

/** Every test file of the project, with its path from the root. */
export function* testFiles(): Generator<{ path: string; source: string }> {
  for (const folder of ['apps', 'e2e', 'packages', 'supabase'])
    for (const file of filesBelow(`${ROOT}/${folder}`))
      if (/\.(test|spec)\.tsx?$/.test(file))
        yield { path: relative(ROOT, file).split(sep).join('/'), source: readFileSync(file, 'utf8') };
}
