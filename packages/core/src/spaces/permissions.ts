import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

/**
 * What a person may do. A system role widens what they may do in the organisations they belong to and opens no other one;
 * `byOrganization` has that in it already. The database decides, this only hides.
 */
export type Permissions = {
  /** What the person's system roles give, `platform.…` among it. */
  everywhere: ReadonlySet<string>;
  byOrganization: ReadonlyMap<string, ReadonlySet<string>>;
  /** What the person's circle roles give, by the person they support. */
  byPerson: ReadonlyMap<string, ReadonlySet<string>>;
};

type Rules = readonly Pick<Row<'role_permissions'>, 'role_kind' | 'role' | 'permission'>[];

type Roles = {
  memberships: readonly Pick<Row<'organization_members'>, 'organization_id' | 'role'>[];
  systemRoles: readonly Pick<Row<'user_roles'>, 'role'>[];
  /** The relationships in which the person helps, that are active. */
  helps: readonly Pick<Row<'circle_relationships'>, 'subject_id' | 'role'>[];
};

/** Joins a person's roles to what each role may do. */
export function permissionsOf({ memberships, systemRoles, helps }: Roles, rules: Rules): Permissions {
  const granted = (kind: Row<'role_permissions'>['role_kind'], roles: readonly string[]) =>
    rules.filter(rule => rule.role_kind === kind && roles.includes(rule.role)).map(rule => rule.permission);
  const everywhere = granted(
    'system',
    systemRoles.map(({ role }) => role),
  );
  const inOrganization = (role: string) =>
    new Set([
      ...granted('organization', [role]),
      ...everywhere.filter(permission => !permission.startsWith('platform.')),
    ]);
  const rolesFor = (subject: string) => helps.filter(one => one.subject_id === subject).map(({ role }) => role);
  return {
    everywhere: new Set(everywhere),
    byOrganization: new Map(memberships.map(({ organization_id: id, role }) => [id, inOrganization(role)])),
    byPerson: new Map(helps.map(({ subject_id: id }) => [id, new Set(granted('circle', rolesFor(id)))])),
  };
}

/** Whether a person may do something in an organisation, e.g. `inspection.conduct`. */
export const mayDo = (permissions: Permissions, organizationId: string, permission: string): boolean =>
  permissions.byOrganization.get(organizationId)?.has(permission) ?? false;

/** Whether any role of a person gives them this, wherever it counts: what decides if a screen is theirs at all. */
export const mayAnywhere = ({ everywhere, byOrganization, byPerson }: Permissions, permission: string): boolean =>
  [everywhere, ...byOrganization.values(), ...byPerson.values()].some(granted => granted.has(permission));

/** What a person may do, from the copy on this device. */
export function permissions(userId: string): Query<Permissions> {
  return {
    key: `spaces/permissions/${userId}`,
    tables: ['organization_members', 'user_roles', 'role_permissions', 'circle_relationships'],
    async read(tx) {
      const [memberships, roles, rules, helps] = await Promise.all([
        tx.range('organization_members', 'user', userId, userId),
        tx.all('user_roles'),
        tx.all('role_permissions'),
        tx.range('circle_relationships', 'helper', userId, userId),
      ]);
      return permissionsOf(
        {
          memberships: memberships.filter(({ deleted_at: left }) => left === null),
          systemRoles: roles.filter(({ user_id: owner, deleted_at: taken }) => owner === userId && taken === null),
          helps: helps.filter(({ state, deleted_at: gone }) => state === 'active' && gone === null),
        },
        rules.filter(({ deleted_at: dropped }) => dropped === null),
      );
    },
  };
}
