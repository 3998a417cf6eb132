import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

/** What a person may do, by organisation; system roles count everywhere. The database decides, this only hides. */
export type Permissions = {
  everywhere: ReadonlySet<string>;
  byOrganization: ReadonlyMap<string, ReadonlySet<string>>;
};

type Rules = readonly Pick<Row<'role_permissions'>, 'role_kind' | 'role' | 'permission'>[];

/** Joins a person's roles to what each role may do. */
export function permissionsOf(
  memberships: readonly Pick<Row<'organization_members'>, 'organization_id' | 'role'>[],
  systemRoles: readonly Pick<Row<'user_roles'>, 'role'>[],
  rules: Rules,
): Permissions {
  const granted = (kind: 'system' | 'organization', roles: readonly string[]) =>
    new Set(rules.filter(rule => rule.role_kind === kind && roles.includes(rule.role)).map(rule => rule.permission));
  return {
    everywhere: granted(
      'system',
      systemRoles.map(({ role }) => role),
    ),
    byOrganization: new Map(memberships.map(({ organization_id: id, role }) => [id, granted('organization', [role])])),
  };
}

/** Whether a person may do something in an organisation, e.g. `inspection.conduct`. */
export const mayDo = (permissions: Permissions, organizationId: string, permission: string): boolean =>
  permissions.everywhere.has(permission) || (permissions.byOrganization.get(organizationId)?.has(permission) ?? false);

/** What a person may do, from the copy on this device. */
export function permissions(userId: string): Query<Permissions> {
  return {
    key: `spaces/permissions/${userId}`,
    tables: ['organization_members', 'user_roles', 'role_permissions'],
    async read(tx) {
      const memberships = await tx.range('organization_members', 'user', userId, userId);
      const roles = await tx.all('user_roles');
      const rules = await tx.all('role_permissions');
      return permissionsOf(
        memberships.filter(({ deleted_at: left }) => left === null),
        roles.filter(({ user_id: owner, deleted_at: taken }) => owner === userId && taken === null),
        rules.filter(({ deleted_at: dropped }) => dropped === null),
      );
    },
  };
}
