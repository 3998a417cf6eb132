import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import {
  giveGrant,
  isOpen,
  moveRelationship,
  noteRead,
  revokeGrant,
  say,
  type Grant,
  type GiveGrant,
} from './grants.ts';
import { accessLog, circle, circlePage, supportNetwork } from './queries.ts';
import { sharedViewOf, stillShared } from './shared-view.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const PIA = uuid(1);
const SAM = uuid(2);
const PAIR = uuid(3);
const AT = '2026-11-21T08:00:00.000Z';
const NOW = Date.parse(AT);

const relationship = {
  id: PAIR,
  subject_id: PIA,
  helper_id: SAM,
  role: 'accountability_partner' as const,
  state: 'active' as const,
  subject_name: 'Pia',
  helper_name: 'Sam',
};
const store = () => memoryStore({ circle_relationships: [relationship] });
const WALK: GiveGrant = {
  id: uuid(4),
  relationshipId: PAIR,
  by: PIA,
  scope: 'habits',
  level: 'full',
  itemIds: [uuid(9)],
  until: null,
  at: AT,
};

test('a grant is given by the subject alone, and only what the role may have, item by item where it says so', async () => {
  const own = store();
  await own.write('grant', tx => giveGrant(tx, WALK));
  expect((await own.read(circle(PIA))).helpers[0]?.grants).toHaveLength(1);
  const refused = (part: Partial<GiveGrant>) =>
    own.write('grant', tx => giveGrant(tx, { ...WALK, id: uuid(5), ...part }));
  await expect(refused({ by: SAM })).rejects.toMatchObject({ code: 'not_found' });
  await expect(refused({ itemIds: null })).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(refused({ itemIds: [] })).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(refused({ scope: 'wellness', level: 'summary', itemIds: null })).rejects.toMatchObject({
    code: 'not_allowed',
  });
});

test('acting for somebody is granted for 31 days at most', async () => {
  const own = memoryStore({ circle_relationships: [{ ...relationship, role: 'managed_admin' as const }] });
  const acting = { ...WALK, scope: 'tasks' as const, level: 'act' as const, itemIds: null };
  await own.write('grant', tx => giveGrant(tx, acting));
  const [given] = (await own.read(circlePage(PAIR)))?.grants ?? [];
  expect(given?.valid_until).toBe('2026-12-22T08:00:00.000Z');
});

test('what was taken back is out of the circle at once, also with no network', async () => {
  const own = store();
  await own.write('grant', tx => giveGrant(tx, WALK));
  await own.write('revoke', tx => revokeGrant(tx, WALK.id, AT));
  expect((await own.read(circlePage(PAIR)))?.grants).toEqual([]);
});

const grant = (part: Partial<Grant> = {}): Grant => ({
  id: uuid(4),
  relationship_id: PAIR,
  subject_id: PIA,
  helper_id: SAM,
  role: 'accountability_partner',
  scope: 'habits',
  level: 'full',
  item_ids: null,
  valid_from: '2026-11-20T08:00:00Z',
  valid_until: null,
  revoked_at: null,
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  version: 1,
  ...part,
});

test.each([
  ['granted', grant(), 'active', true],
  ['over', grant({ valid_until: AT }), 'active', false],
  ['not begun', grant({ valid_from: '2026-11-21T08:00:01Z' }), 'active', false],
  ['taken back', grant({ revoked_at: AT }), 'active', false],
  ['paused', grant(), 'paused', false],
  ['ended', grant(), 'ended', false],
] as const)('%s: whether the copy on a device still shows it', async (_name, given, state, shown) => {
  expect(isOpen(given, { state, deleted_at: null }, NOW)).toBe(shown);
  const part = { grant_id: given.id, scope: 'wellness', level: 'ok', data: [{ week: '2026-11-16', ok: true }] };
  const view = sharedViewOf({ at: AT, parts: [part] });
  const [held] = await store().read({
    key: 'pair',
    tables: ['circle_relationships'],
    read: tx => tx.all('circle_relationships'),
  });
  if (!view || !held) throw new Error('nothing to look at');
  expect(stillShared(view, { relationship: { ...held, state }, grants: [given] }, NOW).parts).toHaveLength(
    shown ? 1 : 0,
  );
});

test('an answer of another shape is no view', () => {
  expect(sharedViewOf({ at: AT, parts: [{ grant_id: 'x', scope: 'journal', level: 'full', data: [] }] })).toBeNull();
  expect(sharedViewOf(null)).toBeNull();
});

test('both sides pause and end; the subject alone resumes', async () => {
  const own = store();
  const move = (state: 'active' | 'paused' | 'ended', by: string) =>
    own.write('move', tx => moveRelationship(tx, { id: PAIR, state, by }));
  await move('paused', SAM);
  expect(await own.read(supportNetwork(PIA))).toBe(0);
  await expect(move('active', SAM)).rejects.toMatchObject({ code: 'not_allowed' });
  await move('active', PIA);
  expect(await own.read(supportNetwork(PIA))).toBe(1);
  await move('ended', SAM);
  await expect(move('active', PIA)).rejects.toMatchObject({ code: 'stale_version' });
  expect(await own.read(circle(PIA))).toEqual({ helpers: [], helped: [] });
});

test('a nudge waits on the device in the order it was written, and an empty one is none', async () => {
  const own = store();
  const write = (n: number, body: string, at: string) =>
    own.write('say', tx => say(tx, { id: uuid(n), relationshipId: PAIR, fromId: SAM, body, at }));
  await write(11, ' second ', '2026-11-21T09:00:00.000Z');
  await write(10, 'first', AT);
  await expect(write(12, '  ', AT)).rejects.toMatchObject({ code: 'invalid' });
  expect((await own.read(circlePage(PAIR)))?.messages.map(({ body }) => body)).toEqual(['first', 'second']);
});

test('what is read again within five minutes from the copy is one read', async () => {
  const own = memoryStore({});
  const look = (n: number, grantId: string, at: string) =>
    own.write('noteRead', async tx => noteRead(tx, { id: uuid(n), grantId, helperId: SAM, at }));
  await look(30, uuid(4), AT);
  await look(31, uuid(4), '2026-11-21T08:04:59.000Z');
  await look(32, uuid(5), '2026-11-21T08:04:59.000Z');
  await look(33, uuid(4), '2026-11-21T08:05:01.000Z');
  const rows = await own.read({ key: 'reads', tables: ['grant_reads'], read: tx => tx.all('grant_reads') });
  expect(rows.map(({ id }) => id).toSorted()).toEqual([uuid(30), uuid(32), uuid(33)]);
});

test('the access log is the subject’s, the newest first', async () => {
  const look = {
    grant_id: uuid(4),
    relationship_id: PAIR,
    helper_id: SAM,
    scope: 'habits',
    level: 'full',
    received_at: AT,
  };
  const rows = [
    { ...look, id: uuid(20), subject_id: PIA, read_at: '2026-11-20T08:00:00Z', offline: false },
    { ...look, id: uuid(21), subject_id: PIA, read_at: AT, offline: true },
    { ...look, id: uuid(22), subject_id: SAM, read_at: AT, offline: false },
  ];
  const own = memoryStore({ grant_reads: rows, consent_grants: [grant({ item_ids: [uuid(9)] })] });
  expect((await own.read(accessLog(PIA, 10))).map(({ read: { id }, items }) => [id, items])).toEqual([
    [uuid(21), 1],
    [uuid(20), 1],
  ]);
});
