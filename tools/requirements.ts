// npm run requirements [-- R2.17 …]: each requirement row that tests name, with those tests by layer; docs/requirements.md has them
// with their titles.
import { testFiles } from './requirement-files.ts';
import { filesOf, LAYERS, namedRows } from './rules/requirement-rules.ts';
import { reasons } from './unit-only-rows.ts';

const asked = process.argv.slice(2);
const rows = namedRows(testFiles()).filter(({ id }) => asked.length === 0 || asked.includes(id));
for (const { id, tests } of rows) {
  console.log(id);
  for (const layer of LAYERS)
    if (tests[layer].length > 0) console.log(`  ${layer}: ${filesOf(tests[layer]).join(', ')}`);
  const reason = reasons.unitOnly[id];
  if (reason !== undefined) console.log(`  by unit tests alone: ${reason}`);
}
const counts = LAYERS.map(layer => `${layer} ${rows.filter(({ tests }) => tests[layer].length > 0).length}`);
console.log(
  `${rows.length} rows are named by tests (${counts.join(', ')}); ${Object.keys(reasons.unitOnly).length} by unit tests alone; ${Object.keys(reasons.open).length} are open`,
);
