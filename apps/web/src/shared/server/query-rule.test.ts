import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: ROOT })
  .filter(name => !name.includes('.test.'))
  .map(name => ({ name, text: readFileSync(ROOT + name, 'utf8') }));
const holding = (words: RegExp) => sources.filter(({ text }) => words.test(text)).map(({ name }) => name);

/** What is asked for anew whenever it is looked at, and why five minutes would be wrong there. */
const ASKED_ANEW: Readonly<Record<string, string>> = {
  'features/audit/audit-screen.tsx': 'the log is read to see what has just happened',
  'features/policies/report/report-screen.tsx': 'whoever chases signatures would chase those who have signed',
  'features/security/use-asked.ts': 'a list of devices must not hide the one that has just signed in',
  'features/sync/rescue/submitted-section.tsx': 'whoever follows the notice of a decision wants that decision',
  'features/workflows/decision-screen.tsx': 'another may have decided meanwhile',
  'features/workflows/rule-log.tsx': 'the log is read to see whether the rule has just run',
  'features/workflows/simulate-part.tsx': 'what would happen is asked of the records as they are now',
};

test('R9.20 how long an answer counts is said in one place, and its exceptions are those listed, each with why', () => {
  expect(holding(/\b(staleTime|gcTime|refetchOnWindowFocus):/)).toEqual(['shared/server/query-rule.ts']);
  expect(holding(/^\s*retry: (\d|false|true|\(count)/m).filter(name => name !== 'shared/server/query-rule.ts')).toEqual(
    [],
  );
  expect(holding(/\.\.\.AS_OF_NOW\b/).toSorted()).toEqual(Object.keys(ASKED_ANEW).toSorted());
});
