import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { chooseSpace, placeOf } from './choose-space.ts';
import { mySpaces } from './my-spaces.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [works, own, me] = [id(1), id(2), id(3)];
const now = '2026-11-21T09:00:00.000Z';
const nothing = { organizationId: null, playbookId: null };

const store = memoryStore(
  {
    organizations: [
      { id: works, name: 'Northfield Works', slug: 'works', kind: 'company' },
      { id: own, name: 'Sam', slug: 'sam', kind: 'private' },
    ],
    organization_members: [
      { id: id(10), organization_id: works, user_id: me, role: 'member', joined_at: '2026-01-01T00:00:00Z' },
      { id: id(11), organization_id: own, user_id: me, role: 'admin', joined_at: '2026-02-01T00:00:00Z' },
    ],
    playbooks: [
      { id: id(20), organization_id: works, name: 'Daily', owner_id: id(4), created_at: '2026-01-01T00:00:00Z' },
      { id: id(21), organization_id: works, name: 'Night', owner_id: id(4), created_at: '2026-01-02T00:00:00Z' },
      { id: id(22), organization_id: own, name: 'Mine', type: 'personal', owner_id: me },
    ],
    role_permissions: [{ id: id(30), role_kind: 'organization', role: 'member', permission: 'inspection.conduct' }],
  },
  me,
);

describe('where a person works', () => {
  test("an employer's organisation goes before the private space that came with the sign-up", async () => {
    const spaces = await store.read(mySpaces(me));
    expect(chooseSpace(spaces, nothing, now)?.current.organization.id).toBe(works);
  });

  test('the private space is taken once it was chosen', async () => {
    const spaces = await store.read(mySpaces(me));
    const chosen = chooseSpace(spaces, { organizationId: own, playbookId: null }, now);
    expect([chosen?.current.organization.id, chosen?.playbook?.name]).toEqual([own, 'Mine']);
  });

  test('R4.24 the stored playbook if it is still present, else the first', async () => {
    const spaces = await store.read(mySpaces(me));
    const playbook = (playbookId: string | null) =>
      chooseSpace(spaces, { organizationId: works, playbookId }, now)?.playbook?.name;
    expect([playbook(id(21)), playbook(id(99)), playbook(null)]).toEqual(['Night', 'Daily', 'Daily']);
  });

  test('one that was chosen before it was there opens when it arrives, whatever else came first', async () => {
    const spaces = await store.read(mySpaces(me));
    const wish = { organizationId: works, playbookId: null, byHand: true };
    const without = { ...spaces, organizations: spaces.organizations.filter(each => each.organization.id !== works) };
    expect(chooseSpace(without, wish, now)?.current.organization.id).toBe(own);
    expect(chooseSpace(spaces, wish, now)?.current.organization.id).toBe(works);
  });

  test('nobody in no organisation works nowhere', async () => {
    expect(chooseSpace(await store.read(mySpaces(id(9))), nothing, now)).toBeNull();
  });
});

describe('a link, or a person, names a place', () => {
  const place = async (organizationId: string | null, playbookId: string | null) =>
    placeOf(await store.read(mySpaces(me)), { organizationId, playbookId });

  test('R5.08 an unknown organisation or playbook is ignored', async () => {
    expect(await place(id(99), null)).toBeNull();
    expect(await place(null, id(99))).toBeNull();
    expect(await place(works, id(99))).toMatchObject({ organizationId: works, playbookId: null });
    expect(await place(null, null)).toBeNull();
  });

  test('R5.08 an unknown playbook of the organisation that is chosen leaves the playbook that is chosen', async () => {
    const link = { organizationId: works, playbookId: id(99) };
    const spaces = await store.read(mySpaces(me));
    expect(placeOf(spaces, link, { organizationId: works, playbookId: id(21) })).toMatchObject({ playbookId: id(21) });
    expect(placeOf(spaces, link, { organizationId: own, playbookId: id(21) })).toMatchObject({ playbookId: null });
  });

  test('a playbook names its organisation; one of another organisation than the named one is ignored', async () => {
    expect(await place(null, id(22))).toMatchObject({ organizationId: own, playbookId: id(22) });
    expect(await place(works, id(22))).toMatchObject({ organizationId: works, playbookId: null });
  });

  test('a choice by hand outweighs an activation of the last day, a kept one does not', async () => {
    const { organizations, permissions } = await store.read(mySpaces(me));
    const spaces = {
      permissions,
      organizations: organizations.map(each => {
        const at = each.organization.id === own ? now : null;
        return {
          ...each,
          organization: { ...each.organization, kind: 'company' as const },
          context: { ...each.context, activation_source: 'partner_link', activated_at: at },
        };
      }),
    };
    const kept = { organizationId: works, playbookId: null };
    const open = (remembered: Parameters<typeof chooseSpace>[1]) =>
      chooseSpace(spaces, remembered, now)?.current.organization.id;
    expect([open(kept), open({ ...kept, byHand: true })]).toEqual([own, works]);
    // Once: the activation that was taken up leads nowhere any more, a later one does.
    expect([open({ ...kept, taken: now }), open({ ...kept, taken: '2026-11-21T08:59:59.999Z' })]).toEqual([works, own]);
  });
});
