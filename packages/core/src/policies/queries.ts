import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import {
  isWaiting,
  policyStatus,
  type Acknowledgement,
  type Membership,
  type Campaign,
  type PolicyStatus,
} from './policy-status.ts';
import { withoutPictures } from './policy-pictures.ts';
import { quizNeeded } from './quiz.ts';
import type { Policy, PolicyVersion } from './version-states.ts';

export type PolicyEntry = {
  policy: Policy;
  /** The version in force, or that was when it was archived; null before the first. */
  current: PolicyVersion | null;
  /** What is being written or approved; on devices of those who may read drafts. */
  next: PolicyVersion | null;
  status: PolicyStatus;
};

export type PolicyRequest = {
  organizationId: string;
  userId: string;
};

const TABLES = [
  'policies',
  'policy_versions',
  'acknowledgement_campaigns',
  'policy_acknowledgements',
  'organization_members',
  'site_members',
  'team_members',
] as const;

const isPresent = <R extends { deleted_at: string | null }>(row: R): boolean => row.deleted_at === null;

/** Every policy of an organisation on this device, by title, each with where the person stands. */
export function policyEntries(request: PolicyRequest): Query<PolicyEntry[]> {
  const { organizationId, userId } = request;
  return {
    key: `policies/policyEntries/${organizationId}/${userId}`,
    tables: TABLES,
    lingers: true,
    async read(tx) {
      // In one trip: each that waits for the one before it costs a turn of the page.
      const [belonging, policies, allVersions, allCampaigns, allAcknowledgements] = await Promise.all([
        belongingOf(tx, request),
        tx.range('policies', 'organization', organizationId, organizationId),
        tx.all('policy_versions'),
        tx.all('acknowledgement_campaigns'),
        tx.all('policy_acknowledgements'),
      ]);
      const [versions, campaigns] = [grouped(allVersions), grouped(allCampaigns)];
      const acknowledgements = grouped(allAcknowledgements.filter(row => row.user_id === userId));
      return policies
        .filter(isPresent)
        .map(policy => {
          const id = policy.id;
          const facts = {
            versions: versions.get(id) ?? [],
            campaigns: campaigns.get(id) ?? [],
            acknowledgements: acknowledgements.get(id) ?? [],
          };
          return entryOf(policy, facts, belonging);
        })
        .toSorted((a, b) => a.policy.title.localeCompare(b.policy.title));
    },
  };
}

type Facts = {
  versions: readonly PolicyVersion[];
  campaigns: readonly Campaign[];
  acknowledgements: readonly Acknowledgement[];
};

function grouped<R extends { policy_id: string; deleted_at: string | null }>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows.filter(isPresent)) {
    const group = groups.get(row.policy_id);
    if (group) group.push(row);
    else groups.set(row.policy_id, [row]);
  }
  return groups;
}

function entryOf(policy: Policy, facts: Facts, belonging: Membership | null): PolicyEntry {
  const { versions, campaigns, acknowledgements } = facts;
  const ofMajor = new Set(versions.filter(({ major }) => major === policy.current_major).map(({ id }) => id));
  const current = versions.find(({ id }) => id === policy.current_version_id) ?? null;
  return {
    policy,
    current,
    next: versions.find(({ major }) => major === null) ?? null,
    status: policyStatus({
      policy,
      campaigns,
      belonging,
      acknowledgements: current ? acknowledgements.filter(({ version_id: id }) => ofMajor.has(id)) : [],
    }),
  };
}

async function belongingOf(tx: Tx, { organizationId, userId }: PolicyRequest): Promise<Membership | null> {
  const here = <R extends { organization_id: string; deleted_at: string | null }>(row: R) =>
    isPresent(row) && row.organization_id === organizationId;
  const [members, sites, teams] = await Promise.all([
    tx.range('organization_members', 'user', userId, userId),
    tx.range('site_members', 'user', userId, userId),
    tx.range('team_members', 'user', userId, userId),
  ]);
  const [member] = members.filter(here);
  if (!member) return null;
  return {
    userId,
    role: member.role,
    joinedAt: member.joined_at,
    siteIds: sites.filter(here).map(row => row.site_id),
    teamIds: teams.filter(here).map(row => row.team_id),
  };
}

export type OpenedPolicy = PolicyEntry & {
  /** Published ones, the newest first. */
  published: PolicyVersion[];
  /** Active ones. */
  campaigns: Campaign[];
  /** Everything the person ever said of it, the latest first; for proofs of older versions too. */
  acknowledgements: {
    acknowledgement: Acknowledgement;
    version: PolicyVersion | null;
    /** On whose device it was said, by name; null: one's own. */ witness: string | null;
  }[];
  /** How many questions of its quiz must be right to sign what is in force; null: none. */
  quizNeeded: number | null;
  /** The name of whoever answers for it. */
  ownerName: string | null;
};

/** One policy with its versions and the person's own words; null when it is not on this device. */
export function openedPolicy(id: string, request: PolicyRequest): Query<OpenedPolicy | null> {
  return {
    key: `policies/openedPolicy/${id}/${request.userId}`,
    tables: [...TABLES, 'people'],
    async read(tx) {
      const policy = await tx.get('policies', id);
      if (!policy || !isPresent(policy)) return null;
      const versions = (await tx.range('policy_versions', 'policy', `${id}/`, `${id}/\uffff`)).filter(isPresent);
      const campaigns = (await tx.range('acknowledgement_campaigns', 'policy', id, id)).filter(isPresent);
      const rows = await tx.range('policy_acknowledgements', 'policy', id, id);
      const acknowledgements = rows.filter(row => isPresent(row) && row.user_id === request.userId);
      const belonging = await belongingOf(tx, { ...request, organizationId: policy.organization_id });
      const owner = policy.owner_id === null ? undefined : await tx.get('people', policy.owner_id);
      const entry = entryOf(policy, { versions, campaigns, acknowledgements }, belonging);
      return {
        ...entry,
        quizNeeded: entry.current && quizNeeded(entry.current, campaigns, belonging),
        published: versions.filter(({ major }) => major !== null).toReversed(),
        campaigns: campaigns.filter(({ state }) => state === 'active'),
        acknowledgements: await acknowledgementsOf(tx, acknowledgements, versions),
        ownerName: owner?.display_name ?? null,
      };
    },
  };
}

async function acknowledgementsOf(
  tx: Tx,
  acknowledgements: readonly Acknowledgement[],
  versions: readonly PolicyVersion[],
): Promise<OpenedPolicy['acknowledgements']> {
  const list: OpenedPolicy['acknowledgements'] = [];
  for (const row of acknowledgements) {
    const witness = row.witness_id === null ? null : await tx.get('people', row.witness_id);
    const version = versions.find(each => each.id === row.version_id) ?? null;
    list.push({ acknowledgement: row, version, witness: witness?.display_name ?? null });
  }
  return list.toSorted((a, b) => Date.parse(b.acknowledgement.opened_at) - Date.parse(a.acknowledgement.opened_at));
}

/** Those the person still has to say something on, what is due first in front. */
export const waitingFor = (entries: readonly PolicyEntry[]): PolicyEntry[] =>
  entries
    .filter(entry => isWaiting(entry.status))
    .toSorted((a, b) => (a.status.dueAt ?? '9').localeCompare(b.status.dueAt ?? '9'));

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

type Search = (entries: readonly PolicyEntry[], typed: string) => PolicyEntry[];

/**
 * A search for entries that hold every typed word, in their title, code, summary or text. It keeps the folded text of what it has
 * looked through: folding hundreds of texts takes longer than looking through them, and each letter looks through them again.
 */
export function policySearch(): Search {
  const texts = new WeakMap<PolicyEntry, string>();
  const textOf = (entry: PolicyEntry): string => {
    const known = texts.get(entry);
    if (known !== undefined) return known;
    const { policy, current, next } = entry;
    const all = [policy.title, policy.code, policy.summary, (current ?? next)?.body];
    const text = plain(withoutPictures(all.filter(Boolean).join('\n')));
    texts.set(entry, text);
    return text;
  };
  return (entries, typed) => {
    const words = plain(typed).split(/\s+/).filter(Boolean);
    if (words.length === 0) return [...entries];
    return entries.filter(entry => words.every(word => textOf(entry).includes(word)));
  };
}

/** People of an organisation with what an audience can ask for. */
export type Colleague = { id: string; name: string | null; role: Row<'organization_members'>['role'] };

/** The members of an organisation, by name. */
export function colleagues(organizationId: string): Query<Colleague[]> {
  return {
    key: `policies/colleagues/${organizationId}`,
    tables: ['organization_members', 'people'],
    async read(tx) {
      const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
      const found: Colleague[] = [];
      for (const { user_id: id, role, deleted_at: left } of members)
        if (left === null) found.push({ id, role, name: (await tx.get('people', id))?.display_name ?? null });
      return found.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
    },
  };
}

/** Sites and teams of an organisation, by name. */
export function places(organizationId: string): Query<{ sites: Row<'sites'>[]; teams: Row<'teams'>[] }> {
  return {
    key: `policies/places/${organizationId}`,
    tables: ['sites', 'teams'],
    async read(tx) {
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
      const sites = await tx.range('sites', 'organization', organizationId, organizationId);
      const teams = (await tx.all('teams')).filter(row => row.organization_id === organizationId);
      return { sites: sites.filter(isPresent).toSorted(byName), teams: teams.filter(isPresent).toSorted(byName) };
    },
  };
}
