import { expect, test } from 'vitest';
import { layerOf, namedRows, proofProblems, titlesIn } from './requirement-rules.ts';

test.each([
  ['e2e/auth.spec.ts', 'browser'],
  ['supabase/tests/spaces.client.test.ts', 'wire'],
  ['apps/local-server/src/server.db.test.ts', 'wire'],
  ['supabase/tests/spaces.test.ts', 'database'],
  ['packages/sync/src/leaving.db.test.ts', 'database'],
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

test('each row has its tests by layer', () => {
  expect(rows.map(({ id, tests }) => [id, tests.browser, tests.unit])).toEqual([
    [first, ['e2e/a.spec.ts'], ['packages/core/src/a.test.ts']],
    [third, [], ['packages/core/src/a.test.ts']],
  ]);
});

test('a row of unit tests alone needs a reason, and a reason needs such a row', () => {
  expect(proofProblems(rows, {})).toEqual([`${third} is named by unit tests alone (packages/core/src/a.test.ts)`]);
  expect(proofProblems(rows, { [third]: 'arithmetic' })).toEqual([]);
  expect(proofProblems(rows, { [third]: 'arithmetic', [first]: 'too much' })).toHaveLength(1);
});
