// Each sentence that SQL raises has a stable code beside it, out of supabase/error-codes.tsv: see rules/error-code-rules.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { raiseFaults, readErrorCodes, tableFaults, unknownCodes } from './rules/error-code-rules.ts';
import { ROOT } from './root.ts';
import { filesBelow } from './sources.ts';

const TABLE = 'supabase/error-codes.tsv';
const MIGRATIONS = 'supabase/migrations';

const table = readErrorCodes(readFileSync(join(ROOT, TABLE), 'utf8'));
const codes = new Map(table.map(each => [each.code, each]));
const faults = tableFaults(table).map(fault => `${TABLE}: ${fault}`);
const used = new Set<string>();
for (const file of readdirSync(join(ROOT, MIGRATIONS)).toSorted()) {
  const sql = readFileSync(join(ROOT, MIGRATIONS, file), 'utf8');
  for (const fault of raiseFaults(sql, codes, used)) faults.push(`${MIGRATIONS}/${file}: ${fault}`);
}
for (const { code } of table) if (!used.has(code)) faults.push(`${TABLE}: nothing raises ${code}`);
for (const folder of ['packages', 'apps']) {
  for (const file of filesBelow(join(ROOT, folder))) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const code of unknownCodes(readFileSync(file, 'utf8'), codes))
      faults.push(`${relative(ROOT, file)}: ${code} is not in ${TABLE}`);
  }
}
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
