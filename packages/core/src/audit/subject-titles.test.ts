import { expect, test } from 'vitest';
import type { AuditEntry } from './audit-log.ts';
import { subjectOf } from './subject-titles.ts';

const entry = (subject_table: string, detail: AuditEntry['detail'] = {}): AuditEntry => ({
  seq: 1,
  at: '2026-11-22T08:00:00Z',
  actor_id: null,
  act: 'policy.published',
  subject_table,
  subject_id: 'a',
  detail,
  hash: '',
});

test('an entry is about the record with the name people know it by', () => {
  expect(subjectOf(entry('policies', { version_id: 'v' }))).toEqual(['policies', 'a']);
  expect(subjectOf(entry('policy_acknowledgements', { version_id: 'v' }))).toEqual(['policy_versions', 'v']);
  expect(subjectOf(entry('people', { site_id: 's' }))).toEqual(['sites', 's']);
  expect(subjectOf(entry('people'))).toBeNull();
  expect(subjectOf(entry('policy_acknowledgements'))).toBeNull();
});
