// Names are those an engineer of the field would search for: see rules/term-rules.ts.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';
import { codeFaults, fileFaults, sqlFaults, termFaults, titleFaults, type TermFault } from './rules/term-rules.ts';

function faultsOf(path: string): TermFault[] {
  if (/\/generated\/|term-rules(\.test)?\.ts$|\/i18n\//.test(path)) return fileFaults(path);
  const text = readFileSync(path, 'utf8');
  if (path.includes('/supabase/migrations/')) return [...fileFaults(path), ...sqlFaults(text)];
  if (!/\.tsx?$/.test(path)) return fileFaults(path);
  const ofTests = /\.(test|spec)\.tsx?$/.test(path) ? titleFaults(text) : [];
  return [...fileFaults(path), ...termFaults(text), ...codeFaults(text), ...ofTests];
}

let faults = 0;
for (const folder of ['packages', 'apps', 'supabase', 'e2e', 'tools', 'bench'])
  for (const path of filesBelow(`${ROOT}/${folder}`))
    for (const { name, instead } of faultsOf(path)) {
      console.log(`${relative(ROOT, path)}: ${name}: write ${instead}`);
      faults += 1;
    }
process.exitCode = faults > 0 ? 1 : 0;
