import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BackendErrorKind } from '@cairn/sync/transport/backend.ts';
import { asideKey, isSetAside, refusalKey } from './refusal-text.ts';
import { troubleKey } from './trouble-text.ts';

const KINDS: Record<BackendErrorKind, string> = {
  network: 'network',
  auth: 'auth',
  busy: 'busy',
  refused: 'sorting',
  too_large: 'sorting',
  mismatch: 'changed',
};

test.each(Object.entries(KINDS))('what waits for %s has words of its own', (kind, words) => {
  expect(troubleKey(kind)).toBe(words);
});

test.each([
  [null, 'none'],
  ['timeout', 'slow'],
  ['stuck', 'slow'],
  ['57014', 'long'],
  ['40001', 'busy'],
  ['503', 'busy'],
  ['PGRST301', 'auth'],
  ['401', 'auth'],
  ['PGRST202', 'version'],
  ['42883', 'version'],
  ['PGRST001', 'server'],
  ['XX000', 'server'],
  ['502', 'server'],
  ['behind', 'behind'],
  ['not_uploaded', 'anew'],
  ['hash_mismatch', 'changed'],
  ['23514', 'sorting'],
  ['storage_full', 'full'],
  ['interrupted', 'interrupted'],
  ['something new', 'other'],
])('%s is told as "%s"', (code, words) => {
  expect(troubleKey(code)).toBe(words);
});

test('every word of its own that sync writes down for a failure is known here', () => {
  const folder = `${import.meta.dirname}/../../../../../../packages/sync/src/`;
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.includes('.test.'),
  );
  const text = sources.map(name => readFileSync(folder + name, 'utf8')).join('\n');
  const codes = [...text.matchAll(/new BackendError\('\w+', [^\n]*, '(\w+)'\)/g)].map(([, code = '']) => code);
  const failed = [...text.matchAll(/lastError: (?:given \? )?'(\w+)'/g)].map(([, code = '']) => code);
  expect(codes).toContain('timeout');
  expect(failed).toEqual(expect.arrayContaining(['crash', 'bytes_missing']));
  expect(codes.filter(code => troubleKey(code) === 'other')).toEqual([]);
  expect(failed.filter(lastError => asideKey({ lastError }) === null)).toEqual([]);
});

test('what this phone set aside is not told as a refusal', () => {
  const of = (lastError: string) => ({ lastError, detail: null });
  expect(
    ['crash', 'bytes_missing', 'not_a_member', 'id_collision', 'mutation_id_reused'].map(of).map(asideKey),
  ).toEqual(['crash', 'bytes_missing', 'not_a_member', 'id_collision', 'reused']);
  expect([of('crash'), of('bytes_missing'), of('42501')].map(isSetAside)).toEqual([true, true, false]);
  expect(asideKey(of('42501'))).toBeNull();
  expect(refusalKey(of('403'))).toBe('not_allowed');
});

test('that there are as many as there may be is not told as a wrong value', () => {
  const folder = `${import.meta.dirname}/../../../../../../supabase/migrations/`;
  const sql = readdirSync(folder).map(name => readFileSync(folder + name, 'utf8'));
  const codes = sql.flatMap(text => [...text.matchAll(/errcode = '23514', hint = 'many', detail = '(CN\d{3})'/g)]);
  expect(codes.length).toBeGreaterThan(10);
  for (const [, reason = ''] of codes) expect(refusalKey({ lastError: '23514', reason })).toBe('many');
  expect(refusalKey({ lastError: '23514' })).toBe('invalid');
});
