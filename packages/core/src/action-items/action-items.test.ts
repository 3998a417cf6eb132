import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { type ActionStatus, isEnded, mayMove, mayReopen, openStatuses, transitions } from './action-status.ts';
import { mustLeaveCheck, mustLeaveEnd } from './another-verifies.ts';
import { type ActionItemChanges, changeActionItem, judgeOutcome } from './change-action-item.ts';
import { attachFile } from './attach-file.ts';
import { createActionItem } from './create-action-item.ts';
import { actionItem } from './queries.ts';
import { sendActionBack } from './send-back.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [id, organizationId, me, other] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const at = '2026-11-21T09:00:00.000Z';
const states = Object.keys(transitions).filter((state): state is ActionStatus => state in transitions);
let store: Store;

const create = (more: Partial<Parameters<typeof createActionItem>[1]> = {}) =>
  store.write('create', tx =>
    createActionItem(tx, { id, organizationId, playbookId: null, title: ' Fix brake ', by: me, ...more }),
  );
const change = (changes: ActionItemChanges) =>
  store.write('change', tx => changeActionItem(tx, { id, changes, by: me, at }));
const item = async () => (await store.read(actionItem(id)))?.item;

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error.code;
  throw new Error(`expected a Failure, got ${String(error)}`);
}

beforeEach(() => {
  store = memoryStore({}, me);
});

test('one made by hand is open, or assigned where somebody has it', async () => {
  await create();
  expect(await item()).toMatchObject({ title: 'Fix brake', status: 'open', source_type: 'manual', priority: 'medium' });
  await create({ id: uuid(9), assigneeId: other });
  expect((await store.read(actionItem(uuid(9))))?.item.status).toBe('assigned');
});

test('a title is needed, at the start and later', async () => {
  expect(await refusal(create({ title: '  ' }))).toBe('invalid');
  await create();
  expect(await refusal(change({ title: ' ' }))).toBe('invalid');
  expect((await item())?.title).toBe('Fix brake');
});

test('giving it to somebody and taking it back moves an open one along', async () => {
  await create();
  await change({ assigneeId: other });
  expect(await item()).toMatchObject({ status: 'assigned', assignee_id: other });
  await change({ assigneeId: null });
  expect(await item()).toMatchObject({ status: 'open', assignee_id: null });
});

test('the way from open to closed says who closed it and when; opening it again takes that back', async () => {
  await create();
  await change({ status: 'in_progress' });
  await change({ status: 'ready_for_verification' });
  await change({ status: 'needs_revision' });
  await change({ status: 'ready_for_verification' });
  await change({ status: 'closed' });
  expect(await item()).toMatchObject({ status: 'closed', closed_at: at, closed_by: me });
  await change({ status: 'open' });
  expect(await item()).toMatchObject({ status: 'open', closed_at: null, closed_by: null });
});

test('what somebody else closed is opened again by them, by who made it and by who manages, and by nobody else', () => {
  const item = { created_by: other, closed_by: other };
  expect(mayReopen(item, me, false)).toBe(false);
  expect(mayReopen({ ...item, created_by: me }, me, false)).toBe(true);
  expect(mayReopen(item, me, true)).toBe(true);
  expect(mayReopen({ ...item, closed_by: me }, me, false)).toBe(true);
  expect(mayReopen(item, other, false)).toBe(true);
});

describe('what a state does not allow is refused', () => {
  test.each<[ActionStatus, ActionStatus]>([
    ['open', 'closed'],
    ['in_progress', 'closed'],
    ['open', 'needs_revision'],
    ['closed', 'in_progress'],
    ['ready_for_verification', 'risk_accepted'],
  ])('from %s to %s', async (from, to) => {
    await create();
    await store.write('set', tx => tx.change('action_items', id, { status: from }));
    expect(await refusal(change({ status: to, title: 'New' }))).toBe('stale_version');
    expect(await item()).toMatchObject({ status: from, title: 'Fix brake' });
  });
});

const reachable = (from: ActionStatus): Set<ActionStatus> => {
  const seen = new Set<ActionStatus>([from]);
  for (const state of seen) for (const next of transitions[state]) seen.add(next);
  return seen;
};

test('from every state an end can be reached, and every end can be opened again', () => {
  fc.assert(
    fc.property(fc.constantFrom(...states), state => {
      expect(reachable(state).has('closed')).toBe(true);
      expect(isEnded(state)).toBe(!openStatuses.includes(state));
      expect(!isEnded(state) || mayMove(state, 'open')).toBe(true);
    }),
  );
});

test('one that is gone is said to be gone', async () => {
  expect(await refusal(change({ title: 'x' }))).toBe('not_found');
});

describe('a file of an action item', () => {
  const file = { id: uuid(20), bytes: new Uint8Array([1, 2]).buffer, mime: 'application/pdf', sha256: 'a'.repeat(64) };
  const attach = (more = {}) =>
    store.write('attach', tx =>
      attachFile(tx, { actionId: id, file: { ...file, width: null, height: null, ...more }, by: me, at }),
    );

  test('is kept with its bytes, after those it has', async () => {
    await create();
    await attach();
    await attach({ id: uuid(21), mime: 'image/jpeg' });
    expect((await item())?.media_ids).toEqual([uuid(20), uuid(21)]);
    const kept = await store.read({
      key: 'kept',
      tables: ['media'],
      read: async tx => [(await tx.get('media', uuid(20)))?.kind, (await tx.get('media', uuid(21)))?.kind],
    });
    expect(kept).toEqual(['file', 'photo']);
  });

  test('is refused empty, on a closed item, and on one that is not here', async () => {
    expect(await refusal(attach())).toBe('not_found');
    await create();
    expect(await refusal(attach({ bytes: new ArrayBuffer(0) }))).toBe('invalid');
    await change({ status: 'not_valid' });
    expect(await refusal(attach())).toBe('stale_version');
  });
});

describe('whether it worked', () => {
  const judge = (outcome: 'effective' | 'not_effective', note = '') =>
    store.write('t', tx => judgeOutcome(tx, { id, outcome, note, by: me, at }));

  test('is said of what is closed; what did not work is open again, with what was seen', async () => {
    await create();
    expect(await refusal(judge('effective'))).toBe('stale_version');
    await store.write('set', tx => tx.change('action_items', id, { status: 'closed', closed_by: me, closed_at: at }));
    expect(await refusal(judge('not_effective', '  '))).toBe('invalid');
    await judge('not_effective', 'It leaks again');
    expect(await item()).toMatchObject({ status: 'open', outcome: 'not_effective', outcome_note: 'It leaks again' });
  });
});

describe('who checks it', () => {
  type Role = Row<'organization_members'>['role'];
  const org = organizationId;
  const people = (role: Role): Store =>
    memoryStore(
      {
        organization_members: [me, other].map((user, index) => ({
          id: uuid(80 + index),
          organization_id: org,
          user_id: user,
          role: user === me ? ('member' as const) : role,
          joined_at: at,
        })),
        role_permissions: [
          { id: uuid(90), role_kind: 'organization', role: 'member', permission: 'action.work' },
          { id: uuid(91), role_kind: 'organization', role: 'manager', permission: 'action.work' },
          { id: uuid(92), role_kind: 'organization', role: 'manager', permission: 'place.all' },
        ],
      },
      me,
    );
  const leave = (role: Role, more: object = {}) =>
    people(role).read(
      mustLeaveCheck({ id, organization_id: org, site_id: uuid(60), done_by: me, assignee_id: null, ...more }, me),
    );

  test('not whoever did it or has it, where somebody else there can', async () => {
    expect(await leave('manager')).toBe(true);
    expect(await leave('manager', { done_by: other, assignee_id: me })).toBe(false);
    expect(await leave('manager', { done_by: null })).toBe(false);
    // At a site the other does not see, or with no right to work on it, there is nobody else.
    expect(await leave('member')).toBe(false);
    expect(await leave('auditor', { site_id: null })).toBe(false);
    expect(await leave('member', { site_id: null })).toBe(true);
  });

  test('a duplicate, or what is not valid, is called so by who manages and neither has nor did it, or where nobody else can', async () => {
    const end = (role: Role, manages: boolean, more: object = {}) =>
      people(role).read(
        mustLeaveEnd(
          { id, organization_id: org, site_id: null, done_by: null, assignee_id: null, ...more },
          me,
          manages,
        ),
      );
    expect(await end('manager', false)).toBe(true);
    expect(await end('manager', true)).toBe(false);
    expect(await end('manager', true, { assignee_id: me })).toBe(true);
    expect(await end('auditor', false)).toBe(false);
  });
});

test('one that asks for evidence is not ready without a file of its own, or evidence linked to it', async () => {
  const asking = {
    id,
    organization_id: organizationId,
    title: 'Mend',
    status: 'in_progress' as const,
    evidence_required: true,
  };
  const link = { id: uuid(8), organization_id: organizationId, evidence_id: uuid(7), target_id: id };
  const ready = { status: 'ready_for_verification' as const };
  store = memoryStore({ action_items: [asking] }, me);
  expect(await refusal(change(ready))).toBe('invalid');
  expect((await item())?.status).toBe('in_progress');
  store = memoryStore({ action_items: [{ ...asking, media_ids: [uuid(6)] }] }, me);
  await change(ready);
  expect((await item())?.status).toBe('ready_for_verification');
  store = memoryStore({ action_items: [asking], evidence_links: [{ ...link, target_table: 'action_items' }] }, me);
  await change(ready);
  expect((await item())?.status).toBe('ready_for_verification');
});

test('what needs more work goes back with what is missing, both or neither', async () => {
  await create();
  const comments = () => store.read({ key: 'said', tables: ['comments'], read: tx => tx.all('comments') });
  const back = (reason: string) =>
    store.write('back', tx => sendActionBack(tx, { id, reason, commentId: uuid(9), by: me, at }), { together: true });
  expect(await refusal(back('A photo'))).toBe('stale_version');
  await change({ status: 'in_progress' });
  await change({ status: 'ready_for_verification' });
  expect(await refusal(back('  '))).toBe('invalid');
  expect([(await item())?.status, await comments()]).toEqual(['ready_for_verification', []]);
  await back(' A photo of it ');
  expect((await item())?.status).toBe('needs_revision');
  expect(await comments()).toMatchObject([{ body: 'A photo of it', subject_id: id, author_id: me }]);
});
