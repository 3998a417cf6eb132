import type { Query, Tx } from '@cairn/sync/store.ts';

export type Colleague = { id: string; name: string };

/** Everybody of an organisation whose name is known here, by name. */
export function colleagues(organizationId: string): Query<Colleague[]> {
  return {
    key: `spaces/colleagues/${organizationId}`,
    tables: ['people', 'organization_members'],
    read: tx => colleagueRows(tx, organizationId),
  };
}

/** The same, for what reads more at once. Tables: `people` and `organization_members`. */
export async function colleagueRows(tx: Tx, organizationId: string): Promise<Colleague[]> {
  const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
  const ids = new Set(members.filter(row => row.deleted_at === null).map(row => row.user_id));
  const people = await tx.all('people');
  return people
    .filter(person => ids.has(person.id))
    .map(person => ({ id: person.id, name: person.display_name ?? '' }))
    .filter(person => person.name !== '')
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
