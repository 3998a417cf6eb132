import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';
import type { OrganizationRole } from '../roles/role-names.ts';
import { activeMembers } from './colleagues.ts';

export type Member = {
  /** Of the membership. */
  id: string;
  userId: string;
  /** Null for somebody who gave no name. */
  name: string | null;
  role: OrganizationRole;
  /** ISO 8601; null for no end. */
  validUntil: string | null;
  siteIds: string[];
  /** The only administrator: neither removed nor given another role. */
  isLastAdmin: boolean;
};

export type Members = { members: Member[]; sites: Row<'sites'>[] };

const here = (row: { organization_id: string; deleted_at: string | null }, organizationId: string): boolean =>
  row.organization_id === organizationId && row.deleted_at === null;

/** Who belongs to an organisation, by name, and its sites, as far as this device has them. */
export function organizationMembers(organizationId: string): Query<Members> {
  return {
    key: `spaces/members/${organizationId}`,
    tables: ['organization_members', 'people', 'sites', 'site_members'],
    async read(tx) {
      const rows = await activeMembers(tx, organizationId);
      const sites = await tx.range('sites', 'organization', organizationId, organizationId);
      const placed = (await tx.all('site_members')).filter(row => here(row, organizationId));
      const admins = rows.filter(({ role }) => role === 'admin').length;
      const members: Member[] = [];
      for (const row of rows) {
        members.push({
          id: row.id,
          userId: row.user_id,
          name: (await tx.get('people', row.user_id))?.display_name ?? null,
          role: row.role,
          validUntil: row.valid_until,
          siteIds: placed.filter(({ user_id: who }) => who === row.user_id).map(({ site_id: site }) => site),
          isLastAdmin: row.role === 'admin' && admins === 1,
        });
      }
      return {
        members: members.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? '')),
        sites: sites.filter(({ deleted_at: gone }) => gone === null).toSorted((a, b) => a.name.localeCompare(b.name)),
      };
    },
  };
}

async function membership(tx: Tx, id: string): Promise<Row<'organization_members'>> {
  const row = await tx.get('organization_members', id);
  if (!row || row.deleted_at !== null) throw new Failure('not_found', `no membership ${id}`);
  return row;
}

/** Somebody can always manage the people of an organisation; the database holds the same. */
async function keepAnAdmin(tx: Tx, row: Row<'organization_members'>): Promise<void> {
  if (row.role !== 'admin') return;
  const all = await activeMembers(tx, row.organization_id);
  const others = all.filter(each => each.id !== row.id && each.role === 'admin');
  if (others.length === 0) throw new Failure('not_allowed', `membership ${row.id} is the last administrator's`);
}

export type MemberChange = {
  membershipId: string;
  role: OrganizationRole;
  /** ISO 8601; null for no end. An administrator has none. */
  validUntil: string | null;
  siteIds: readonly string[];
};

/**
 * Gives a member another role, end or sites.
 * @throws {Failure} `not_found`; `not_allowed` when nobody would administer the organisation
 */
export async function changeMember(tx: WriteTx, change: MemberChange): Promise<void> {
  const row = await membership(tx, change.membershipId);
  if (change.role !== 'admin') await keepAnAdmin(tx, row);
  await tx.change('organization_members', row.id, {
    role: change.role,
    valid_until: change.role === 'admin' ? null : change.validUntil,
    site_limited: change.role === 'auditor' && change.siteIds.length > 0,
  });
  const present = (await tx.range('site_members', 'user', row.user_id, row.user_id)).filter(each =>
    here(each, row.organization_id),
  );
  for (const each of present) if (!change.siteIds.includes(each.site_id)) await tx.remove('site_members', each.id);
  for (const siteId of change.siteIds) {
    if (present.some(each => each.site_id === siteId)) continue;
    const id = newId();
    await tx.put('site_members', { id, organization_id: row.organization_id, site_id: siteId, user_id: row.user_id });
  }
}

/**
 * Ends a membership. What the person made stays; what their devices have not sent goes to the review queue.
 * @throws {Failure} as `changeMember`
 */
export async function removeMember(tx: WriteTx, membershipId: string): Promise<void> {
  const row = await membership(tx, membershipId);
  await keepAnAdmin(tx, row);
  await tx.remove('organization_members', row.id);
}
