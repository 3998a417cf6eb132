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

type SpacesOptions = {
  /** Counts `refresh-playbooks` events: another number is another read. */
  reload?: number;
  /** False leaves the playbooks out: what can still be read of a device whose playbooks cannot. */
  withPlaybooks?: boolean;
};

/** The organisations a person belongs to with their playbooks and what the person may do in them, read as one. */
export function mySpaces(userId: string, { reload = 0, withPlaybooks = true }: SpacesOptions = {}): Query<MySpaces> {
  const own = ownOrganizations(userId);
  const rights = permissions(userId);
  return {
    key: `spaces/mySpaces/${userId}/${reload}/${withPlaybooks}`,
    tables: [...new Set([...own.tables, ...rights.tables, ...(withPlaybooks ? (['playbooks'] as const) : [])])],
    async read(tx) {
      // Asked for together: the first screen waits for this, and each question on its own is a trip to the database.
      const [mine, may] = await Promise.all([own.read(tx), rights.read(tx)]);
      const spaces = mine.map(async ({ organization: { id, role }, context }) => {
        const [organization, books] = await Promise.all([
          tx.get('organizations', id),
          withPlaybooks ? playbooks(id, userId).read(tx) : [],
        ]);
        return organization ? [{ organization, context, role, playbooks: books }] : [];
      });
      return { organizations: (await Promise.all(spaces)).flat(), permissions: may };
    },
  };
}
