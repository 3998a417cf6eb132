import { expect, test } from 'vitest';
import type { TFunction } from 'i18next';
import { ruleText } from './rule-text.ts';

/** Each text by its key, with what is filled in. */
const t = ((key: string, values: Record<string, unknown> = {}) =>
  [key.replace('rule.', ''), ...Object.values(values)].join(' ')) as unknown as TFunction<'tasks'>;

test.each([
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'on single.month monthDay 1, monthDay 15'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'on single.month lastDay'],
  ['RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=30;SKIP=BACKWARD', 'on single.month monthDay 30, orLast'],
  ['FREQ=MONTHLY;BYMONTHDAY=30', 'on single.month monthDay 30, onlyWhere'],
  ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD', 'on single.month orLast'],
  ['FREQ=MONTHLY', 'single.month'],
  ['FREQ=MONTHLY;BYDAY=5MO', 'on single.month nth.fifth Mon'],
])('the field says of %s what a short month makes of it', (rule, words) => {
  expect(ruleText(rule, 'en', t)).toBe(words);
});
