import type { Row } from '@cairn/schema';
import type { OrganizationContext } from '@cairn/core/spaces/current-space.ts';
import { permissions, type Permissions } from '@cairn/core/spaces/permissions.ts';
import { ownOrganizations, playbooks } from '@cairn/core/spaces/queries.ts';
import type { Query } from '@cairn/sync/store.ts';

export type OrganizationSpace = {
  organization: Row<'organizations'>;
  context: OrganizationContext;
  role: Row<'organization_members'>['role'];
  /** Oldest first; a personal one only for its owner. */
  playbooks: Row<'playbooks'>[];
};

export type MySpaces = { organizations: OrganizationSpace[]; permissions: Permissions };

type Read = {
  /** Counts `refresh-playbooks` events: another number is another read. */
  reload?: number;
  /** False leaves the playbooks out: what can still be read of a device whose playbooks cannot. */
  withPlaybooks?: boolean;
};

/** The organisations a person belongs to with their playbooks and what the person may do in them, read as one. */
export function mySpaces(userId: string, { reload = 0, withPlaybooks = true }: Read = {}): Query<MySpaces> {
  const own = ownOrganizations(userId);
  const rights = permissions(userId);
  return {
    key: `spaces/mySpaces/${userId}/${reload}/${withPlaybooks}`,
    tables: [...new Set([...own.tables, ...rights.tables, ...(withPlaybooks ? (['playbooks'] as const) : [])])],
    async read(tx) {
      const organizations: OrganizationSpace[] = [];
      for (const { organization: shape, context } of await own.read(tx)) {
        const organization = await tx.get('organizations', shape.id);
        if (!organization) continue;
        const books = withPlaybooks ? await playbooks(organization.id, userId).read(tx) : [];
        organizations.push({ organization, context, role: shape.role, playbooks: books });
      }
      return { organizations, permissions: await rights.read(tx) };
    },
  };
}
