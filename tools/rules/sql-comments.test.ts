import { expect, test } from 'vitest';
import { withoutComments } from './sql-comments.ts';

test.each([
  ["select 1; -- nobody's\nselect 2;", 'select 1; \nselect 2;'],
  ['select /* not\nthis -- nor that */ 3;', 'select  3;'],
  ["select '-- it''s no /* comment', 4; -- gone", "select '-- it''s no /* comment', 4; "],
])('%j without its comments is %j', (sql, expected) => {
  expect(withoutComments(sql)).toBe(expected);
});
