import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

export type Colleague = { id: string; name: string };

/** Everybody of an organisation whose name is known here, by name. */
export function colleagues(organizationId: string): Query<Colleague[]> {
  return {
    key: `spaces/colleagues/${organizationId}`,
    tables: ['people', 'organization_members'],
    async read(tx) {
      const [people, members] = await Promise.all([tx.all('people'), memberRows(tx, organizationId)]);
      return colleaguesAmong(people, members);
    },
  };
}

/** Who was ever a member of an organisation. */
export const memberRows = (tx: Tx, organizationId: string): Promise<Row<'organization_members'>[]> =>
  tx.range('organization_members', 'organization', organizationId, organizationId);

/** Who belongs to an organisation at present. */
export async function activeMembers(tx: Tx, organizationId: string): Promise<Row<'organization_members'>[]> {
  return (await memberRows(tx, organizationId)).filter(({ deleted_at: left }) => left === null);
}

/** Who of these people is a member now and has a name, by name. */
export function colleaguesAmong(
  people: readonly Row<'people'>[],
  members: readonly Row<'organization_members'>[],
): Colleague[] {
  const ids = new Set(members.filter(row => row.deleted_at === null).map(row => row.user_id));
  return people
    .filter(person => ids.has(person.id))
    .map(person => ({ id: person.id, name: person.display_name ?? '' }))
    .filter(person => person.name !== '')
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
