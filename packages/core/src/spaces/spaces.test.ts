import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { chooseOrganization, choosePlaybook, type OrganizationContext } from './current-space.ts';
import { ownOrganizations, playbooks } from './queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [acme, other, me] = [uuid(1), uuid(2), uuid(3)];
const now = '2026-11-21T09:00:00.000Z';

const context = (
  organization_id: string,
  joined_at: string,
  activation_source: string | null = null,
  activated_at: string | null = null,
): OrganizationContext => ({
  organization_id,
  joined_at,
  activation_source,
  activated_at,
});

describe('R4.20 the current organisation', () => {
  const contexts = [
    context('old-partner', '2026-01-01T00:00:00Z', 'partner_link'),
    context('new-partner', '2026-02-01T00:00:00Z', 'partner_link_v2'),
    context('newest', '2026-03-01T00:00:00Z', 'invitation'),
  ];

  const activated = (at: string) => [...contexts, context('activated', '2025-01-01T00:00:00Z', 'partner_link', at)];

  test('the stored choice while one still belongs to it', () => {
    expect(chooseOrganization(contexts, { stored: 'newest', now })).toBe('newest');
    expect(chooseOrganization(contexts, { stored: 'left', now })).toBe('new-partner');
  });

  test('else the most recently joined through a partner link', () => {
    expect(chooseOrganization(contexts, { stored: null, now })).toBe('new-partner');
  });

  test('else the most recently joined; none without any', () => {
    const plain = [
      context('a', '2026-01-01T00:00:00Z'),
      context('b', '2026-05-01T00:00:00+02:00'),
      context('c', '2026-04-30T21:00:00Z'),
    ];
    expect(chooseOrganization(plain, { stored: null, now })).toBe('b');
    expect(chooseOrganization([], { stored: 'a', now })).toBeNull();
  });

  test('one activated less than 24 hours ago comes before the stored choice', () => {
    expect(chooseOrganization(activated('2026-11-20T09:00:01Z'), { stored: 'newest', now })).toBe('activated');
    expect(chooseOrganization(activated('2026-11-20T09:00:00Z'), { stored: 'newest', now })).toBe('newest');
  });
});

test.each(['partner_link', 'partner_link_v2', 'invitation', 'qr-code 2027', '', null])(
  'R3.03 an organisation activated through %j is read with that source and can be worked in',
  async source => {
    const store = memoryStore({
      organizations: [{ id: acme, name: 'Acme', slug: 'acme', kind: 'company' }],
      organization_members: [{ id: uuid(10), organization_id: acme, user_id: me, role: 'member', joined_at: now }],
      organization_activations:
        source === null
          ? []
          : [{ id: uuid(11), organization_id: acme, user_id: me, activation_source: source, activated_at: now }],
    });
    const own = await store.read(ownOrganizations(me));
    expect(own).toMatchObject([{ organization: { activationSource: source }, context: { activation_source: source } }]);
    const contexts = own.map(({ context: each }) => each);
    expect(chooseOrganization(contexts, { stored: null, now })).toBe(acme);
  },
);

test('R4.24 the current playbook is the stored one while present, else the first, else none', () => {
  const some = [{ id: 'a' }, { id: 'b' }];
  expect(choosePlaybook(some, 'b')).toBe('b');
  expect(choosePlaybook(some, 'gone')).toBe('a');
  expect(choosePlaybook(some, null)).toBe('a');
  expect(choosePlaybook([], 'b')).toBeNull();
});

const at = '2026-11-01T08:00:00.000Z';
const store = memoryStore(
  {
    organizations: [
      {
        id: acme,
        name: 'Acme',
        slug: 'acme',
        description: 'Lifts',
        program_name: 'Safe',
        program_description: 'Safe lifts',
      },
      { id: other, name: 'Other', slug: 'other' },
    ],
    organization_members: [
      { id: uuid(10), organization_id: acme, user_id: me, role: 'manager', joined_at: at },
      { id: uuid(11), organization_id: other, user_id: me, role: 'member', joined_at: at },
      { id: uuid(12), organization_id: acme, user_id: uuid(4), role: 'admin', joined_at: at },
    ],
    organization_activations: [
      {
        id: uuid(13),
        organization_id: acme,
        user_id: me,
        activation_source: 'others',
        activated_at: '2026-01-01T00:00:00Z',
      },
      {
        id: uuid(14),
        organization_id: acme,
        user_id: me,
        activation_source: 'partner_link',
        activated_at: '2026-02-01T00:00:00Z',
      },
      {
        id: uuid(15),
        organization_id: acme,
        user_id: uuid(4),
        activation_source: 'partner_link_v2',
        activated_at: '2026-03-01T00:00:00Z',
      },
    ],
    user_roles: [{ id: uuid(16), user_id: uuid(4), role: 'admin' }],
    role_permissions: [
      { id: uuid(17), role_kind: 'organization', role: 'manager', permission: 'form.manage' },
      { id: uuid(18), role_kind: 'organization', role: 'member', permission: 'inspection.conduct' },
      { id: uuid(19), role_kind: 'system', role: 'admin', permission: 'sample.remove' },
    ],
    playbooks: [
      { id: uuid(20), organization_id: acme, name: 'Warehouse', owner_id: uuid(4), created_at: '2026-02-01T00:00:00Z' },
      {
        id: uuid(21),
        organization_id: acme,
        name: 'Mine',
        type: 'personal',
        owner_id: me,
        created_at: '2026-01-01T00:00:00Z',
      },
      { id: uuid(22), organization_id: acme, name: 'Private', type: 'personal', owner_id: uuid(4) },
    ],
  },
  me,
);

test('R3.04 a membership joined to its organisation has the mobile shape', async () => {
  const [own] = await store.read(ownOrganizations(me));
  expect(own?.organization).toEqual({
    id: acme,
    name: 'Acme',
    slug: 'acme',
    description: 'Lifts',
    programName: 'Safe',
    programDescription: 'Safe lifts',
    activationSource: 'partner_link',
    role: 'manager',
  });
  expect(own?.context).toEqual({
    organization_id: acme,
    activation_source: 'partner_link',
    joined_at: at,
    activated_at: '2026-02-01T00:00:00Z',
  });
});

test('R3.07 a personal playbook is listed for its owner alone', async () => {
  expect((await store.read(playbooks(acme, me))).map(({ name }) => name)).toEqual(['Mine', 'Warehouse']);
  expect((await store.read(playbooks(acme, uuid(9)))).map(({ name }) => name)).toEqual(['Warehouse']);
});
