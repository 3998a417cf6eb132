import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

export type OrganizationSpace = {
  organization: Row<'organizations'>;
  role: Row<'organization_members'>['role'];
  joinedAt: string;
  /** Partner-link activation of this person, newest; null when there was none. */
  activatedAt: string | null;
  /** Oldest first. A personal playbook is listed for its owner only (R3.07). */
  playbooks: Row<'playbooks'>[];
};

export type MySpaces = {
  organizations: OrganizationSpace[];
  systemRoles: string[];
  granted: Row<'role_permissions'>[];
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The organisations a person belongs to with their playbooks, roles and the permissions behind the roles.
 * @param reload counts `refresh-playbooks` events: another number is another read
 */
export function mySpaces(userId: string, reload = 0): Query<MySpaces> {
  return {
    key: `spaces/mySpaces/${userId}/${reload}`,
    tables: [
      'organizations',
      'organization_members',
      'organization_activations',
      'playbooks',
      'user_roles',
      'role_permissions',
    ],
    async read(tx) {
      const members = await tx.range('organization_members', 'user', userId, userId);
      const activations = (await tx.all('organization_activations')).filter(
        row => row.user_id === userId && row.deleted_at === null && row.activation_source.startsWith('partner_link'),
      );
      const organizations: OrganizationSpace[] = [];
      for (const member of members.filter(row => row.deleted_at === null)) {
        const space = await organizationOf(tx, member, activations);
        if (space) organizations.push(space);
      }
      const roles = (await tx.all('user_roles')).filter(row => row.user_id === userId && row.deleted_at === null);
      return {
        organizations: organizations.toSorted((a, b) => byText(a.organization.name, b.organization.name)),
        systemRoles: roles.map(row => row.role),
        granted: (await tx.all('role_permissions')).filter(row => row.deleted_at === null),
      };
    },
  };
}

async function organizationOf(
  tx: Tx,
  member: Row<'organization_members'>,
  activations: Row<'organization_activations'>[],
): Promise<OrganizationSpace | null> {
  const organization = await tx.get('organizations', member.organization_id);
  if (!organization || organization.deleted_at !== null) return null;
  const playbooks = await tx.range('playbooks', 'organization', organization.id, organization.id);
  const activatedAt = activations
    .filter(row => row.organization_id === organization.id)
    .map(row => row.activated_at)
    .toSorted(byText)
    .at(-1);
  return {
    organization,
    role: member.role,
    joinedAt: member.joined_at,
    activatedAt: activatedAt ?? null,
    playbooks: playbooks
      .filter(row => row.deleted_at === null && (row.type === 'company' || row.owner_id === member.user_id))
      .toSorted((a, b) => byText(a.created_at, b.created_at) || byText(a.name, b.name)),
  };
}
