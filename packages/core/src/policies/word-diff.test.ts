import { describe, expect, test } from 'vitest';
import { documentDiff } from './word-diff.ts';

const told = (before: string, after: string): [number, number, string] => {
  const { added, removed, blocks } = documentDiff(before, after);
  const parts = blocks.flatMap(block => (block.op === 'same' ? [] : block.parts));
  const signs = { added: '+', removed: '-', same: '' };
  return [added, removed, parts.map(({ op, text }) => (op === 'same' ? text : `[${signs[op]}${text}]`)).join('')];
};

describe('marks that change the meaning are changes', () => {
  test.each([
    ['Staff must ~~not~~ smoke.', 'Staff must not smoke.', [1, 1, 'Staff must [-~~not~~][+not] smoke.']],
    ['Staff must not smoke.', 'Staff must ~~not~~ smoke.', [1, 1, 'Staff must [-not][+~~not~~] smoke.']],
    ['A ~~b c~~ d', 'A ~~b~~ c d', [1, 1, 'A ~~b~~ [-~~c~~][+c] d']],
    [
      'Report to [HR](mailto:hr@a.test).',
      'Report to [HR](mailto:boss@b.test).',
      [1, 1, 'Report to HR [-‹mailto:hr@a.test›][+‹mailto:boss@b.test›].'],
    ],
    [
      'See [here][1].\n\n[1]: https://a.test',
      'See [here][1].\n\n[1]: https://b.test',
      [1, 1, 'See here [-‹https://a.test›][+‹https://b.test›].'],
    ],
    ['- [ ] sign', '- [x] sign', [1, 1, '[-☐][+☑] sign']],
    ['- sign', '- [ ] sign', [1, 0, '[+☐ ]sign']],
    ['1. Lock\n2. Tag', '3. Lock\n4. Tag', [1, 0, '[+3. ]Lock']],
    ['Steps:\n\n0) Lock', 'Steps:\n\n1) Lock', [0, 1, '[-0. ]Lock']],
    ['![Plan](a.png)', '![Plan](b.png)', [1, 1, 'Plan [-‹a.png›][+‹b.png›]']],
    ['| a |\n| - |\n| may ~~not~~ |', '| a |\n| - |\n| may not |', [1, 1, 'may [-~~not~~][+not]']],
  ] as const)('%j to %j', (before, after, expected) => {
    expect(told(before, after)).toEqual(expected);
  });
});

test.each([
  'Mail <hr@a.test> or https://a.test.',
  'A **strong** `word`.',
  '~~gone~~ and [x](https://x.test)',
  '- [x] a\n  - [ ] b',
])('%j is the same as itself, and an address that is its own text stands once', text => {
  const { blocks, added, removed } = documentDiff(text, text);
  expect([added, removed, blocks.every(({ op }) => op === 'same')]).toEqual([0, 0, true]);
  expect(blocks.map(({ parts }) => parts.map(part => part.text).join('')).join('\n')).not.toMatch(/(a\.test).*‹.*\1/);
});
