// A requirement row is proven by a screen in a browser, over HTTP or in the real database; one that only unit tests name has a
// reason in unit-only-rows.ts.
import { testFiles } from './requirement-files.ts';
import { namedRows, proofProblems } from './requirement-rules.ts';
import { unitOnlyRows } from './unit-only-rows.ts';

const problems = proofProblems(namedRows(testFiles()), unitOnlyRows);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
