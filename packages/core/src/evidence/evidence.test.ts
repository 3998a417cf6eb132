import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import {
  changeEvidence,
  collectEvidence,
  type CollectEvidence,
  decideEvidence,
  linkEvidence,
  unlinkEvidence,
} from './collect-evidence.ts';
import { counts, expiryOf } from './evidence-states.ts';
import { evidenceAbout, evidenceEntries, openedEvidence, viewOf } from './queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [id, organizationId, me, policy] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const at = '2026-11-21T09:00:00.000Z';
const facts = {
  title: ' Fire drill ',
  description: '',
  ownerId: me,
  periodFrom: '2026-10-01',
  periodTo: '2026-10-31',
  effectiveOn: '2026-10-12',
  expiresOn: '2027-10-11',
};
const file = (n: number) => ({
  id: uuid(n),
  name: '../drill.pdf',
  bytes: new Uint8Array([n]).buffer,
  mime: 'application/pdf',
  sha256: 'a'.repeat(64),
  width: null,
  height: null,
});

let store: Store;
beforeEach(() => {
  store = memoryStore({ policies: [{ id: policy, organization_id: organizationId, title: 'Fire safety' }] }, me);
});

const collect = (more: Partial<CollectEvidence> = {}) => {
  const about = [{ table: 'policies', id: policy }] as const;
  const whole = { id, organizationId, files: [file(20)], about, revises: null, by: me, at, ...facts, ...more };
  return store.write('collect', tx => collectEvidence(tx, whole));
};
const opened = (which = id) => store.read(openedEvidence(which));
const set = (state: 'accepted' | 'sent_back') => store.write('set', tx => tx.change('evidence', id, { state }));

test('is kept with its files, which are for readers of evidence only, and with what it is about', async () => {
  await collect();
  const found = await opened();
  expect(found?.evidence).toMatchObject({ title: 'Fire drill', state: 'collected', series_id: id, collected_at: at });
  expect(found?.files).toMatchObject([{ id: uuid(20), audience: 'evidence.read', kind: 'file', name: '.. drill.pdf' }]);
  expect(found?.about).toEqual([{ table: 'policies', id: policy, title: 'Fire safety' }]);
  expect((await store.read(evidenceAbout(policy))).map(row => row.id)).toEqual([id]);
});

describe('what cannot be kept is refused, and nothing of it stays', () => {
  test.each([
    ['no title', { title: '  ' }],
    ['a period that ends before it begins', { periodFrom: '2026-02-01', periodTo: '2026-01-01' }],
    ['a last day before its first', { effectiveOn: '2026-02-01', expiresOn: '2026-01-01' }],
    ['an empty file', { files: [{ ...file(20), bytes: new ArrayBuffer(0) }] }],
    ['21 files', { files: Array.from({ length: 21 }, (_, n) => file(30 + n)) }],
  ])('%s', async (_, more) => {
    await expect(collect(more)).rejects.toMatchObject({ code: 'invalid' });
    expect(await opened()).toBeNull();
  });
});

test('what was sent back and is changed waits for review again; what was accepted stays as it is', async () => {
  await collect();
  await set('sent_back');
  await store.write('change', tx => changeEvidence(tx, id, { ...facts, title: 'Drill of October' }));
  expect((await opened())?.evidence).toMatchObject({ title: 'Drill of October', state: 'collected' });
  await set('accepted');
  await expect(store.write('change', tx => changeEvidence(tx, id, facts))).rejects.toMatchObject({
    code: 'stale_version',
  });
});

test('a no has a reason, a yes needs none, and nothing is decided twice', async () => {
  const decide = (state: 'accepted' | 'sent_back' | 'withdrawn', note = '') =>
    store.write('decide', tx => decideEvidence(tx, { id, state, note }));
  await collect();
  await expect(decide('sent_back', ' ')).rejects.toMatchObject({ code: 'invalid' });
  await decide('accepted');
  await expect(decide('accepted')).rejects.toMatchObject({ code: 'stale_version' });
  await decide('withdrawn', 'It was of another site');
  expect((await opened())?.evidence).toMatchObject({ state: 'withdrawn', review_note: 'It was of another site' });
});

test('a revision is of the same series, and both name each other', async () => {
  await collect();
  const first = (await opened())?.evidence ?? null;
  await collect({ id: uuid(9), revises: first, files: [] });
  expect((await opened(uuid(9)))?.series.map(each => each.id)).toEqual([id]);
  expect((await opened())?.series.map(each => each.id)).toEqual([uuid(9)]);
});

test('a link is said once, and taken away whole', async () => {
  await collect();
  const target = { table: 'policies', id: policy } as const;
  await store.write('link', tx => linkEvidence(tx, { evidenceId: id, organizationId, target }));
  expect((await opened())?.about).toHaveLength(1);
  await store.write('unlink', tx => unlinkEvidence(tx, id, policy));
  expect((await opened())?.about).toEqual([]);
});

test('the list has what runs out first, first, and each stands in one view', async () => {
  await collect({ id: uuid(5), title: 'never', expiresOn: null });
  await collect({ id: uuid(6), title: 'late', expiresOn: '2028-01-01' });
  await collect({ id: uuid(7), title: 'soon', expiresOn: '2026-12-01' });
  const entries = await store.read(evidenceEntries(organizationId));
  expect(entries.map(({ evidence }) => evidence.title)).toEqual(['soon', 'late', 'never']);
  const views = entries.map(({ evidence }) => viewOf({ ...evidence, state: 'accepted' }, '2026-11-21'));
  expect(views).toEqual(['expiring', 'valid', 'valid']);
});

test('evidence holds through its last day and not a day longer, in every year', () => {
  const days = fc.date({ min: new Date('1999-01-01'), max: new Date('2120-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.integer({ min: -400, max: 400 }), (date, shift) => {
      const today = date.toISOString().slice(0, 10);
      const row = { state: 'accepted', expires_on: addDays(today, shift) } as const;
      expect(expiryOf(row, today)).toMatchObject({ days: shift });
      expect(counts(row, today)).toBe(shift >= 0);
      expect(counts({ ...row, state: 'collected' }, today)).toBe(false);
    }),
  );
});
