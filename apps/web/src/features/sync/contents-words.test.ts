import i18n from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { startI18n } from '../../shared/i18n/start-i18n.ts';
import { contentsWords } from './contents-words.ts';

beforeAll(() => startI18n());
const words = (contents: Parameters<typeof contentsWords>[0]) => contentsWords(contents, i18n.getFixedT(null, 'sync'));

describe('what a receipt says it holds', () => {
  test('an inspection with its answers, its action and its photo are three things', () => {
    const contents = { media: 1, inspection_answers: 12, action_items: 1, inspections: 1 };
    expect(words(contents)).toBe('1 inspection, 1 action, 1 photo');
  });

  test.each([
    [{ inspections: 2, action_items: 3, media: 4 }, '2 inspections, 3 actions, 4 photos'],
    [{ inspection_answers: 3 }, '3 answers'],
    [{ inspection_answers: 1 }, '1 answer'],
    [{ forms: 1, form_versions: 1 }, '1 form'],
    [{ form_versions: 1 }, '1 form version'],
    [{ action_items: 1, profiles: 1 }, '1 action, 1 other record'],
    [{}, ''],
  ])('%j is told as "%s"', (contents, text) => {
    expect(words(contents)).toBe(text);
  });
});
