// A requirement row is proven by a screen in a browser, over HTTP or in the real database; one that only unit tests name has a
// reason in unit-only-rows.ts, and docs/requirements.md says of each row what proves it (npm run gen writes it).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFiles } from './requirement-files.ts';
import { namedRows, proofProblems } from './rules/requirement-rules.ts';
import { REQUIREMENTS_PAGE, requirementTable } from './requirement-table.ts';
import { ROOT } from './root.ts';
import { reasons } from './unit-only-rows.ts';

const rows = namedRows(testFiles());
const problems = proofProblems(rows, reasons);
if (readFileSync(join(ROOT, REQUIREMENTS_PAGE), 'utf8') !== requirementTable(rows, reasons))
  problems.push(`${REQUIREMENTS_PAGE} is older than the tests: npm run gen`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
