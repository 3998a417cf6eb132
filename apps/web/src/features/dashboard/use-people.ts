import { activeMembers } from '@cairn/core/spaces/colleagues.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/session/space.ts';

const allPeople: Query<Row<'people'>[]> = {
  key: 'dashboard/allPeople',
  tables: ['people'],
  read: tx => tx.all('people'),
};

/** Looks up the name a person shows to their colleagues. @param isWanted false reads nothing */
export function usePersonName(isWanted = true): (id: string | null) => string | null {
  const live = useLive(isWanted ? allPeople : null);
  const names = new Map(live.status === 'ready' ? live.answer.map(row => [row.id, row.display_name]) : []);
  return id => (id === null ? null : (names.get(id) ?? null));
}

export type Member = { id: string; name: string | null; role: Row<'organization_members'>['role']; isMe: boolean };

const membersOf = (organizationId: string, userId: string): Query<Member[]> => ({
  key: `dashboard/members/${organizationId}/${userId}`,
  tables: ['organization_members', 'people'],
  async read(tx) {
    const members: Member[] = [];
    for (const { id, user_id: person, role } of await activeMembers(tx, organizationId)) {
      const name = (await tx.get('people', person))?.display_name ?? null;
      members.push({ id, name, role, isMe: person === userId });
    }
    return members.toSorted((a, b) => (a.name ?? '\uffff').localeCompare(b.name ?? '\uffff'));
  },
});

/** The active members of the open organisation by name; null until first read. */
export function useMembers(): Member[] | null {
  const { organization, userId } = useSpace();
  const live = useLive(membersOf(organization.id, userId));
  return live.status === 'ready' ? live.answer : null;
}
