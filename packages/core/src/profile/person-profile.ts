import type { Query } from '@cairn/sync/store.ts';
import type { OrganizationRole } from '../roles/role-names.ts';

/** What the server shows of a person to whoever asks (`person_profile`); of what they do not share, null. */
export type PersonProfile = {
  id: string;
  /** Null for somebody who gave no name. */
  name: string | null;
  /** False where the person shows their profile to others, but not to whoever asks. */
  is_shared: boolean;
  job_title: string | null;
  bio: string | null;
  /** ISO 8601, the full hour; null where it is not shown or not known. */
  seen_at: string | null;
};

/** ms. A device asks for a new token each hour, and is told of by the full hour: whoever is here was seen within two. */
const HERE_MS = 2 * 60 * 60 * 1000;

/** `here`: the person was in the app within the last two hours. Null where nothing is shown of it. */
export function presenceOf(seenAt: string | null, now: Date): 'here' | 'gone' | null {
  if (seenAt === null) return null;
  return now.getTime() - Date.parse(seenAt) < HERE_MS ? 'here' : 'gone';
}

/** What this device knows of a person, with no signal too. */
export type KnownPerson = {
  /** Null where the device has no name of theirs. */
  name: string | null;
  /** Of the membership in the organisation asked about; null where there is none. */
  role: OrganizationRole | null;
};

/** A person as far as this device knows them, and what they are in one organisation. */
export function knownPerson(personId: string, organizationId: string): Query<KnownPerson> {
  return {
    key: `profile/knownPerson/${personId}/${organizationId}`,
    tables: ['people', 'organization_members', 'circle_relationships'],
    async read(tx) {
      const [person, memberships, helps] = await Promise.all([
        tx.get('people', personId),
        tx.range('organization_members', 'user', personId, personId),
        tx.all('circle_relationships'),
      ]);
      const here = memberships.find(row => row.organization_id === organizationId && row.deleted_at === null);
      const circle = helps.find(row => row.subject_id === personId || row.helper_id === personId);
      const circleName = circle?.helper_id === personId ? circle.helper_name : circle?.subject_name;
      return { name: person?.display_name ?? circleName ?? null, role: here?.role ?? null };
    },
  };
}
