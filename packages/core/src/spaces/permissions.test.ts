import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { mayAnywhere, mayDo, permissions } from './permissions.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [acme, other, me, boss, friend] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)];
const store = memoryStore(
  {
    organization_members: [
      { id: uuid(10), organization_id: acme, user_id: me, role: 'manager' },
      { id: uuid(11), organization_id: other, user_id: me, role: 'member' },
      { id: uuid(12), organization_id: acme, user_id: boss, role: 'member' },
    ],
    user_roles: [{ id: uuid(16), user_id: boss, role: 'admin' }],
    circle_relationships: [
      { id: uuid(20), subject_id: friend, helper_id: me, role: 'mentor_coach', state: 'active' },
      { id: uuid(21), subject_id: boss, helper_id: me, role: 'managed_admin', state: 'paused' },
    ],
    role_permissions: [
      { id: uuid(17), role_kind: 'organization', role: 'manager', permission: 'form.manage' },
      { id: uuid(18), role_kind: 'organization', role: 'member', permission: 'inspection.conduct' },
      { id: uuid(19), role_kind: 'system', role: 'admin', permission: 'people.manage' },
      { id: uuid(22), role_kind: 'system', role: 'admin', permission: 'platform.fulfil' },
      { id: uuid(23), role_kind: 'circle', role: 'mentor_coach', permission: 'circle.session' },
      { id: uuid(24), role_kind: 'circle', role: 'managed_admin', permission: 'analytics.view' },
    ],
  },
  me,
);

test('what one may do follows the role in each organisation', async () => {
  const mine = await store.read(permissions(me));
  expect(mayDo(mine, acme, 'form.manage')).toBe(true);
  expect(mayDo(mine, other, 'form.manage')).toBe(false);
  expect(mayDo(mine, other, 'inspection.conduct')).toBe(true);
  expect(mayDo(mine, uuid(99), 'inspection.conduct')).toBe(false);
});

test('a system role counts in the organisations one belongs to, and opens no other one', async () => {
  const theirs = await store.read(permissions(boss));
  expect(mayDo(theirs, acme, 'people.manage')).toBe(true);
  expect(mayDo(theirs, other, 'people.manage')).toBe(false);
  expect(mayDo(theirs, acme, 'platform.fulfil')).toBe(false);
  expect(mayAnywhere(theirs, 'platform.fulfil')).toBe(true);
});

test('a circle role counts for the person one supports, as long as the relationship is active', async () => {
  const mine = await store.read(permissions(me));
  expect(mine.byPerson.get(friend)).toEqual(new Set(['circle.session']));
  expect(mayAnywhere(mine, 'circle.session')).toBe(true);
  expect(mayAnywhere(mine, 'analytics.view')).toBe(false);
});
