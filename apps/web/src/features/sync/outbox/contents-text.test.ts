import { getFixedT } from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { columns, type TableName } from '@cairn/schema';
import german from '../../../shared/i18n/de/sync.json';
import sync from '../../../shared/i18n/en/sync.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { contentsText } from './contents-text.ts';
import { kindLabel, lineName } from '../lists/kind-label.ts';
import type { OutboxLine } from '../lists/outbox-lines.ts';

beforeAll(async () => {
  await startI18n();
  addTexts('sync', sync);
});
const t = getFixedT(null, 'sync');
const words = (contents: Parameters<typeof contentsText>[0]) => contentsText(contents, t);

describe('what a receipt says it holds', () => {
  test('an inspection with its answers, its action and its photo are three things', () => {
    const contents = { media: 1, inspection_answers: 12, action_items: 1, inspections: 1 };
    expect(words(contents)).toBe('1 inspection, 1 corrective action, 1 photo or file');
  });

  test.each([
    [{ inspections: 2, action_items: 3, media: 4 }, '2 inspections, 3 corrective actions, 4 photos or files'],
    [{ inspection_answers: 3 }, '3 answers'],
    [{ inspection_answers: 1 }, '1 answer'],
    [{ forms: 1, form_versions: 1 }, '1 form'],
    [{ form_versions: 1 }, '1 form version'],
    [{ action_items: 1, profiles: 1 }, '1 corrective action, 1 profile'],
    [{ wellness_check_ins: 1, habits: 1, habit_entries: 2 }, '1 check-in, 1 habit'],
    [{ habit_entries: 2 }, '2 habit entries'],
    [{ policy_acknowledgements: 1 }, '1 acknowledgement'],
    [{ policy_openings: 1 }, '1 policy opened'],
    [
      { policy_openings: 2, policy_declines: 1, policy_acknowledgements: 3 },
      '3 acknowledgements, 2 policies opened, 1 policy declined',
    ],
    [{ goals: 1, subscription_tiers: 2 }, '1 goal, 2 other records'],
    [{ of_a_newer_server: 1 } as Parameters<typeof words>[0], '1 other record'],
    [{}, ''],
  ])('%j is told as "%s"', (contents, text) => {
    expect(words(contents)).toBe(text);
  });
});

describe('what things are called', () => {
  const tables = Object.keys(columns) as TableName[];

  test.each([
    ['en', sync],
    ['de', german],
  ])('every table has a word of its own in %s', (_, texts) => {
    const plain = (word: string) => /record|datensatz|_/i.test(word) || word === '';
    expect(tables.filter(table => plain(texts.kind[table]))).toEqual([]);
    expect(new Set(tables.map(table => texts.kind[table])).size).toBe(tables.length);
  });

  test.each([
    ['image/jpeg', 'Photo'],
    ['audio/webm', 'Voice note'],
    ['video/mp4', 'Video'],
    ['application/pdf', 'PDF'],
    ['text/csv', 'File'],
    [undefined, 'File'],
  ])('a file of %s is a "%s", also where it names what it belongs to', (mime, word) => {
    const item = { table: 'media', kind: 'file', mime } as OutboxLine['items'][number];
    const line = { table: 'media', kind: 'file', title: 'Forklift 3', items: [item] } as unknown as OutboxLine;
    expect(kindLabel(item, t)).toBe(word);
    expect(lineName(line, t)).toBe(`${word}: Forklift 3`);
    expect(lineName({ ...line, title: null }, t)).toBe(word);
  });

  test.each([
    [undefined, 'Acknowledgement: Lockout'],
    ['opened', 'Policy opened: Lockout'],
    ['declined', 'Policy declined: Lockout'],
  ] as const)('what is said of a policy (%s) is "%s"', (policyState, words_) => {
    const item = { table: 'policy_acknowledgements', kind: 'record', ...(policyState && { policyState }) };
    const line = { ...item, title: 'Lockout', items: [item] } as unknown as OutboxLine;
    expect(lineName(line, t)).toBe(words_);
  });

  test('a row without a name is called by its kind', () => {
    expect(kindLabel({ table: 'wellness_check_ins', kind: 'record' }, t)).toBe('Check-in');
  });
});
