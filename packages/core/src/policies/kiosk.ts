import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { isWaiting, policyStatus, type Membership, type Campaign } from './policy-status.ts';
import { quizNeeded } from './quiz.ts';
import type { Policy, PolicyVersion } from './version-states.ts';

/** Somebody who is asked for a word on a policy, as far as this device knows. */
export type KioskPerson = {
  id: string;
  name: string | null;
  siteIds: readonly string[];
  teamIds: readonly string[];
  /** How many questions of the quiz must be right; null: none. */
  quizNeeded: number | null;
};

export type Kiosk = {
  policy: Policy;
  /** The version in force. */
  version: PolicyVersion;
  /** Everybody who is asked, by name, but for those whose word on this major was taken on this device. */
  people: KioskPerson[];
  /** Words taken on this device that the server has not received. */
  waiting: number;
};

/** What the server knows and a device does not (`kiosk_state`): who said something, and who has a PIN. */
export type KioskServerState = { answered: string[]; pins: string[] };

const isPresent = (row: { deleted_at: string | null }): boolean => row.deleted_at === null;

async function idsByPerson<T extends 'site_members' | 'team_members'>(
  tx: Tx,
  table: T,
  organizationId: string,
  idOf: (row: Row<T>) => string,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const row of await tx.all(table)) {
    if (!isPresent(row) || row.organization_id !== organizationId) continue;
    found.set(row.user_id, [...(found.get(row.user_id) ?? []), idOf(row)]);
  }
  return found;
}

async function belongings(tx: Tx, organizationId: string): Promise<Membership[]> {
  const sites = await idsByPerson(tx, 'site_members', organizationId, row => row.site_id);
  const teams = await idsByPerson(tx, 'team_members', organizationId, row => row.team_id);
  const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
  return members.filter(isPresent).map(({ user_id: userId, role, joined_at: joinedAt }) => ({
    userId,
    role,
    joinedAt,
    siteIds: sites.get(userId) ?? [],
    teamIds: teams.get(userId) ?? [],
  }));
}

const isAsked = (policy: Policy, campaigns: readonly Campaign[], belonging: Membership): boolean =>
  isWaiting(policyStatus({ policy, campaigns, belonging, acknowledgements: [] }));

/** What a kiosk of one policy shows; null where it is not in force on this device. @param witnessId speaks on a page of their own */
export function kioskOf(policyId: string, witnessId: string): Query<Kiosk | null> {
  return {
    key: `policies/kiosk/${policyId}/${witnessId}`,
    tables: [
      'policies',
      'policy_versions',
      'acknowledgement_campaigns',
      'kiosk_acknowledgements',
      'organization_members',
      'site_members',
      'team_members',
      'people',
    ],
    async read(tx) {
      const policy = await tx.get('policies', policyId);
      const version = policy?.current_version_id ? await tx.get('policy_versions', policy.current_version_id) : null;
      if (!policy || !version || !isPresent(policy) || policy.state !== 'published') return null;
      const campaigns = (await tx.range('acknowledgement_campaigns', 'policy', policyId, policyId)).filter(isPresent);
      const acknowledgements = (await tx.range('kiosk_acknowledgements', 'policy', policyId, policyId)).filter(
        isPresent,
      );
      const taken = new Set<string | null>([witnessId]);
      for (const acknowledgement of acknowledgements) {
        const on = await tx.get('policy_versions', acknowledgement.version_id);
        if (on?.major === policy.current_major && acknowledgement.outcome !== 'not_owed')
          taken.add(acknowledgement.user_id);
      }
      const people: KioskPerson[] = [];
      for (const each of await belongings(tx, policy.organization_id)) {
        if (taken.has(each.userId) || !isAsked(policy, campaigns, each)) continue;
        const { userId: id, siteIds, teamIds } = each;
        const name = (await tx.get('people', id))?.display_name ?? null;
        people.push({ id, name, siteIds, teamIds, quizNeeded: quizNeeded(version, campaigns, each) });
      }
      const waiting = acknowledgements.filter(({ outcome }) => outcome === null).length;
      return { policy, version, people: people.toSorted(byName), waiting };
    },
  };
}

const byName = (a: KioskPerson, b: KioskPerson): number => (a.name ?? '').localeCompare(b.name ?? '');

export type KioskSearch = {
  /** A site or a team; null: everybody. */
  placeId: string | null;
  typed: string;
  /** Ids of those who said something elsewhere, as the server said last. */
  answered: readonly string[];
};

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Those who still owe it, at one place, whose name holds every typed word. */
export function whoOwes(people: readonly KioskPerson[], { placeId, typed, answered }: KioskSearch): KioskPerson[] {
  const gone = new Set(answered);
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return people.filter(
    ({ id, name, siteIds, teamIds }) =>
      !gone.has(id) &&
      (placeId === null || siteIds.includes(placeId) || teamIds.includes(placeId)) &&
      words.every(word => plain(name ?? '').includes(word)),
  );
}
