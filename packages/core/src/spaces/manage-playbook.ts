import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';

/** A membership in a playbook (R3.08), with the person's name where it is known here; `joinedAt`: ISO 8601. */
export type PlaybookMember = {
  id: string;
  playbookId: string;
  userId: string;
  name: string | null;
  role: Row<'playbook_members'>['role'];
  joinedAt: string;
};
const playbookMember = (row: Row<'playbook_members'>) => ({
  id: row.id,
  playbookId: row.playbook_id,
  userId: row.user_id,
  role: row.role,
  joinedAt: row.joined_at,
});

export type ManagedPlaybook = { playbook: Row<'playbooks'>; members: PlaybookMember[] };

/** An organisation's playbooks with their members, archived ones too, by name; a personal one only for its owner. */
export function managedPlaybooks(organizationId: string, userId: string): Query<ManagedPlaybook[]> {
  return {
    key: `spaces/managedPlaybooks/${organizationId}/${userId}`,
    tables: ['playbooks', 'playbook_members', 'people'],
    async read(tx) {
      const rows = await tx.range('playbooks', 'organization', organizationId, organizationId);
      const shown = rows.filter(row => row.deleted_at === null && (row.type === 'company' || row.owner_id === userId));
      const memberships = await tx.all('playbook_members');
      const managed: ManagedPlaybook[] = [];
      for (const playbook of shown) {
        const members: PlaybookMember[] = [];
        for (const row of memberships) {
          if (row.playbook_id !== playbook.id || row.deleted_at !== null) continue;
          const name = (await tx.get('people', row.user_id))?.display_name ?? null;
          members.push({ ...playbookMember(row), name });
        }
        managed.push({ playbook, members });
      }
      return managed.toSorted((a, b) => a.playbook.name.localeCompare(b.playbook.name));
    },
  };
}

/** Whether a person may change a playbook: its administrators, and whoever manages the organisation's playbooks. */
export const mayManagePlaybook = (
  { playbook, members }: ManagedPlaybook,
  { userId, may }: { userId: string; may: (permission: string) => boolean },
): boolean =>
  (may('playbook.create') && members.some(each => each.userId === userId && each.role === 'admin')) ||
  (playbook.type === 'company' && may('playbook.manage'));

export type PlaybookChange = {
  playbookId: string;
  name: string;
  description: string | null;
  /** Names of sites. */
  locations: string[];
};

/** Changes what a playbook is called and where it is for. @throws {Failure} `invalid` without a name; `not_found` */
export async function changePlaybook(tx: WriteTx, change: PlaybookChange): Promise<void> {
  const name = change.name.trim();
  if (name === '') throw new Failure('invalid', `playbook ${change.playbookId} needs a name`);
  const description = change.description?.trim() || null;
  await tx.change('playbooks', change.playbookId, { name, description, locations: change.locations });
}

/** Puts a playbook away, or with null brings it back. @param at ISO 8601 */
export const archivePlaybook = (tx: WriteTx, playbookId: string, at: string | null): Promise<void> =>
  tx.change('playbooks', playbookId, { archived_at: at });

/** Who takes part, and as what. @throws {Failure} `not_allowed` when nobody would administer the playbook */
export async function setPlaybookMembers(
  tx: WriteTx,
  { playbook, members }: ManagedPlaybook,
  wanted: ReadonlyMap<string, PlaybookMember['role']>,
): Promise<void> {
  if (![...wanted.values()].includes('admin'))
    throw new Failure('not_allowed', `playbook ${playbook.id} needs an administrator`);
  for (const member of members) {
    const role = wanted.get(member.userId);
    if (role === undefined) await tx.remove('playbook_members', member.id);
    else if (role !== member.role) await tx.change('playbook_members', member.id, { role });
  }
  for (const [userId, role] of wanted) {
    if (members.some(each => each.userId === userId)) continue;
    const place = { organization_id: playbook.organization_id, playbook_id: playbook.id };
    await tx.put('playbook_members', { id: newId(), ...place, user_id: userId, role });
  }
}
