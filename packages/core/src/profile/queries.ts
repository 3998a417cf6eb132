import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

export type MyProfile = {
  /** null until the first pull has brought it. */
  profile: Row<'profiles'> | null;
  /** Where the person belongs, oldest membership first. */
  memberships: { organization: Row<'organizations'>; role: Row<'organization_members'>['role']; joinedAt: string }[];
  /** System roles beyond the plain user. */
  roles: Row<'user_roles'>['role'][];
};

/** What /profile shows of oneself. */
export const myProfile = (userId: string): Query<MyProfile> => ({
  key: `profile/mine/${userId}`,
  tables: ['profiles', 'organization_members', 'organizations', 'user_roles'],
  async read(tx) {
    const memberships: MyProfile['memberships'] = [];
    for (const member of await tx.range('organization_members', 'user', userId, userId)) {
      const organization = await tx.get('organizations', member.organization_id);
      if (organization) memberships.push({ organization, role: member.role, joinedAt: member.joined_at });
    }
    const roles = (await tx.all('user_roles'))
      .filter(row => row.user_id === userId && row.deleted_at === null)
      .map(row => row.role);
    return {
      profile: (await tx.get('profiles', userId)) ?? null,
      memberships: memberships.toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt)),
      roles: roles.filter(role => role !== 'user').toSorted((a, b) => a.localeCompare(b)),
    };
  },
});
