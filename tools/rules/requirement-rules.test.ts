import { expect, test } from 'vitest';
import { everyRow, filesOf, layerOf, namedRows, proofProblems, titlesIn } from './requirement-rules.ts';
import { requirementTable } from '../requirement-table.ts';

test.each([
  ['e2e/auth.spec.ts', 'browser'],
  ['supabase/tests/spaces.client.test.ts', 'wire'],
  ['apps/local-server/src/server.db.test.ts', 'wire'],
  ['supabase/tests/spaces.test.ts', 'database'],
  ['packages/sync/src/access/membership-end.db.test.ts', 'database'],
  ['packages/core/src/roles/roles.test.ts', 'unit'],
] as const)('a test in %s is of the layer %s', (path, layer) => {
  expect(layerOf(path)).toBe(layer);
});

// Put together here, or the tool would find them in this file too.
const [first, second, third] = ['R2.01', 'R2.02', 'R3.10'] as const;

test('titles are read of groups, tests and tables, over lines and quotes; a skipped test has none', () => {
  const source = [
    `describe('${first} a group', () => {`,
    `  test(\n    "${second} it's a claim",`,
    `  test.each([['a)', 1], [\`b(\`, 2]])('${third} %s of a table', () => {`,
    `  test.skip('R9.99 not yet', () => {`,
  ].join('\n');
  expect(titlesIn(source)).toEqual([`${first} a group`, `${second} it's a claim`, `${third} %s of a table`]);
});

const rows = namedRows([
  { path: 'e2e/a.spec.ts', source: `test('${first} shown', () => {})` },
  { path: 'packages/core/src/a.test.ts', source: `test('${first} ${third} counted', () => {})` },
]);

test('each row has its tests by layer, with their titles', () => {
  expect(rows.map(({ id, tests }) => [id, tests.browser, filesOf(tests.unit)])).toEqual([
    [first, [{ path: 'e2e/a.spec.ts', title: `${first} shown` }], ['packages/core/src/a.test.ts']],
    [third, [], ['packages/core/src/a.test.ts']],
  ]);
});

/** Every row but those that the tests above name, as open. */
const others = Object.fromEntries(
  everyRow()
    .filter(id => id !== first && id !== third)
    .map(id => [id, 'not built']),
);

test('a row of unit tests alone needs a reason, and a reason needs such a row', () => {
  const problems = (unitOnly: Record<string, string>) => proofProblems(rows, { unitOnly, open: others });
  expect(problems({})).toEqual([`${third} is named by unit tests alone (packages/core/src/a.test.ts)`]);
  expect(problems({ [third]: 'arithmetic' })).toEqual([]);
  expect(problems({ [third]: 'arithmetic', [first]: 'too much' })).toHaveLength(1);
});

test('there are 259 rows; one that no test names is listed as open, and one that is listed is named by none', () => {
  expect(everyRow()).toHaveLength(259);
  const unitOnly = { [third]: 'arithmetic' };
  const { [second]: _, ...fewer } = others;
  expect(proofProblems(rows, { unitOnly, open: fewer })).toEqual([
    `${second} is named by no test and is not listed as open`,
  ]);
  expect(proofProblems(rows, { unitOnly, open: { ...others, [first]: 'not built' } })).toEqual([
    `${first} is listed as open, and a test names it`,
  ]);
});

test('the table has a line for each row: its strongest layer, the claims, the files, or why it is open', () => {
  const lines = requirementTable(rows, { unitOnly: { [third]: 'arithmetic' }, open: others }).split('\n');
  expect(lines.filter(line => /^\| R\d/.test(line))).toHaveLength(259);
  expect(lines).toContain(`| ${first} | browser | ${first} shown | e2e/a.spec.ts |`);
  expect(lines).toContain(`| ${third} | unit | ${first} ${third} counted (arithmetic) | packages/core/src/a.test.ts |`);
  expect(lines).toContain(`| ${second} | open | not built | |`);
});
