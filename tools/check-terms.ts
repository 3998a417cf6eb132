// Names are those an engineer of the field would search for: see term-rules.ts.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';
import { termFaults } from './term-rules.ts';

let faults = 0;
for (const folder of ['packages', 'apps', 'supabase', 'e2e', 'tools', 'bench'])
  for (const path of filesBelow(`${ROOT}/${folder}`)) {
    if (!/\.tsx?$/.test(path) || path.endsWith('tools/term-rules.test.ts')) continue;
    for (const { name, instead } of termFaults(readFileSync(path, 'utf8'))) {
      console.log(`${relative(ROOT, path)}: ${name}: write ${instead}`);
      faults += 1;
    }
  }
process.exitCode = faults > 0 ? 1 : 0;
