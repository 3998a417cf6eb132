// Row-level policies must be set-based: see rules/policy-rules.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyFaults } from './rules/policy-rules.ts';
import { ROOT } from './root.ts';

const folder = join(ROOT, 'supabase/migrations');
let faults = 0;
for (const file of readdirSync(folder).toSorted()) {
  for (const { policy, fault } of policyFaults(readFileSync(join(folder, file), 'utf8'))) {
    console.log(`${file}: policy ${policy}: ${fault}`);
    faults += 1;
  }
}
process.exitCode = faults > 0 ? 1 : 0;
