import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Edit } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** A decision on evidence is a second person's, on what others wrote of it, and in their own words. */
setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };

let id: string;

const file = (more: Edit['patch'] = {}): Edit => ({
  t: 'media',
  id: randomUUID(),
  op: 'insert',
  patch: {
    organization_id: world.organization,
    audience: 'evidence.read',
    kind: 'file',
    mime: 'application/pdf',
    bytes: 3,
    sha256: 'b'.repeat(64),
    captured_at: '2026-11-21T08:00:00Z',
    ...more,
  },
});
const link = (table = 'policies', target = world.policy): Edit => ({
  t: 'evidence_links',
  id: randomUUID(),
  op: 'insert',
  patch: { organization_id: world.organization, evidence_id: id, target_table: table, target_id: target },
});
const said = async (person: string, patch: NonNullable<Edit['patch']>) =>
  (await push(person, change('evidence', id, patch)))[0];
const piece = () => rowOf('evidence', id);

async function collected(person = world.worker, more: Edit['patch'] = {}): Promise<string> {
  const fresh = randomUUID();
  const words = {
    organization_id: world.organization,
    series_id: fresh,
    title: 'Drill',
    collected_at: '2026-11-21T08:00:00Z',
  };
  expect(await push(person, { t: 'evidence', op: 'insert', id: fresh, patch: { ...words, ...more } })).toMatchObject([
    applied,
  ]);
  return fresh;
}

beforeEach(async () => {
  id = await collected();
});

describe('a decision on evidence', () => {
  const words = () => ({
    title: 'Fire drill',
    description: 'Both sites',
    period_from: '2026-01-01',
    period_to: '2026-12-31',
    effective_on: '2026-01-01',
    expires_on: '2030-01-01',
    media_ids: [randomUUID()],
    owner_id: world.colleague,
  });
  const NAMES = [
    'title',
    'description',
    'period_from',
    'period_to',
    'effective_on',
    'expires_on',
    'media_ids',
    'owner_id',
  ] as const;

  test.each(NAMES)(
    'changes no %s in the same patch, and is nobody’s who changed it before, while somebody else can',
    async name => {
      const patch = { [name]: words()[name] };
      for (const decision of [
        { state: 'accepted' },
        { state: 'sent_back', review_note: 'No' },
        { state: 'withdrawn', review_note: 'No' },
      ])
        expect(await said(world.manager, { ...patch, ...decision })).toMatchObject(forbidden);
      expect(await said(world.manager, patch)).toMatchObject(applied);
      expect(await said(world.manager, { state: 'accepted' })).toMatchObject(forbidden);
      expect(await said(world.manager, { state: 'sent_back', review_note: 'No' })).toMatchObject(forbidden);
      expect(await said(world.admin, { state: 'accepted' })).toMatchObject(applied);
    },
  );

  test('is nobody’s who said or took back what it is about', async () => {
    const made = link();
    expect(await push(world.manager, made)).toMatchObject([applied]);
    expect(await said(world.manager, { state: 'accepted' })).toMatchObject(forbidden);
    expect(await push(world.admin, { t: 'evidence_links', id: String(made.id), op: 'delete', bv: 1 })).toMatchObject([
      applied,
    ]);
    // Now all who may decide wrote of it: nobody else could.
    expect(await said(world.admin, { state: 'accepted' })).toMatchObject(applied);
  });

  test('is nobody’s whose file it shows', async () => {
    const theirs = file();
    expect(await push(world.manager, theirs)).toMatchObject([applied]);
    expect(await said(world.worker, { media_ids: [theirs.id] })).toMatchObject(applied);
    expect(await said(world.manager, { state: 'accepted' })).toMatchObject(forbidden);
    expect(await said(world.admin, { state: 'accepted' })).toMatchObject(applied);
  });

  test('is nobody’s who had sent it in again, and taking back what was accepted is a second person’s too', async () => {
    expect(await said(world.admin, { state: 'sent_back', review_note: 'Page 2 is missing' })).toMatchObject(applied);
    expect(await said(world.manager, { state: 'collected', title: 'With page 2' })).toMatchObject(applied);
    expect(await said(world.manager, { state: 'accepted' })).toMatchObject(forbidden);
    expect(await said(world.admin, { state: 'accepted' })).toMatchObject(applied);
    expect(await said(world.manager, { state: 'withdrawn', review_note: 'Wrong year' })).toMatchObject(forbidden);
    expect(await said(world.admin, { state: 'withdrawn', review_note: 'Wrong year' })).toMatchObject(applied);
  });

  test('has its note, name and time together: nobody takes over what somebody else said, or has it say another thing', async () => {
    expect(await said(world.manager, { state: 'sent_back', review_note: 'Page 2 is missing' })).toMatchObject(applied);
    const before = await piece();
    expect(before).toMatchObject({ reviewed_by: world.manager });
    const names = { reviewed_by: world.admin, reviewed_at: '2020-01-01T00:00:00Z' };
    await said(world.worker, names);
    for (const patch of [{ review_note: 'All fine' }, { state: 'collected', review_note: 'All fine' }])
      expect(await said(world.worker, patch)).toMatchObject(forbidden);
    expect(await said(world.worker, { state: 'collected' })).toMatchObject(applied);
    const { review_note, reviewed_by, reviewed_at } = before;
    expect(await piece()).toMatchObject({ review_note, reviewed_by, reviewed_at });
    expect(await said(world.admin, { ...names, reviewed_by: world.manager, state: 'accepted' })).toMatchObject(applied);
    expect(await piece()).toMatchObject({ review_note: null, reviewed_by: world.admin });
    expect(Date.parse(String((await piece())['reviewed_at']))).toBeGreaterThan(Date.parse(String(reviewed_at)));
  });

  test('of its maker, to withdraw what was sent back, bears their name', async () => {
    expect(await said(world.manager, { state: 'sent_back', review_note: 'Page 2 is missing' })).toMatchObject(applied);
    expect(await said(world.worker, { state: 'withdrawn', review_note: 'Was never there' })).toMatchObject(applied);
    expect(await piece()).toMatchObject({ review_note: 'Was never there', reviewed_by: world.worker });
  });
});

test('what accepted evidence is about is said by who could decide on it, and not taken back by who brought it', async () => {
  const made = link();
  expect(await push(world.worker, made)).toMatchObject([applied]);
  expect(await said(world.manager, { state: 'accepted' })).toMatchObject(applied);
  expect(await push(world.worker, link('inspections', world.inspection))).toMatchObject([forbidden]);
  expect(await push(world.worker, { t: 'evidence_links', id: String(made.id), op: 'delete', bv: 1 })).toMatchObject([
    forbidden,
  ]);
  expect(await push(world.admin, link('action_items', world.action))).toMatchObject([applied]);
});

test('who changed what of it stands in its activity, for whoever sees it, and words are not repeated', async () => {
  await said(world.manager, { title: 'Fire drill', expires_on: '2030-01-01' });
  await said(world.admin, { state: 'accepted' });
  const activity = (person: string) =>
    db.rpc<Record<string, unknown>[]>(person, 'record_activity', { p_table: 'evidence', p_id: id });
  expect((await activity(world.worker)).map(({ by, field, after }) => [by, field, after])).toEqual([
    [world.admin, 'state', 'accepted'],
    [world.manager, 'title', null],
    [world.manager, 'expires_on', '2030-01-01'],
  ]);
  for (const person of [world.colleague, world.stranger]) expect(await activity(person)).toEqual([]);
});
