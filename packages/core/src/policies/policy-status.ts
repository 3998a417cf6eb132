import type { Json, Row } from '@cairn/schema';
import type { Policy } from './version-states.ts';

export type Campaign = Row<'acknowledgement_campaigns'>;
export type Acknowledgement = Row<'policy_acknowledgements'>;

export type Audience = { kind: 'all' } | { kind: 'roles' | 'sites' | 'teams' | 'people'; ids: readonly string[] };

/** What decides whether an audience means a person. */
export type Membership = {
  userId: string;
  role: string;
  /** Server time of joining, ISO 8601. */
  joinedAt: string;
  siteIds: readonly string[];
  teamIds: readonly string[];
};

/** Where a person stands with the major in force of one policy. */
export type PolicyStatus = {
  state: 'none' | 'requested' | 'opened' | 'acknowledged' | 'declined' | 'exempt' | 'void';
  /** Whether somebody asked. */
  isOwed: boolean;
  /** ISO 8601; null where there is no day. */
  dueAt: string | null;
  /** What they said of this major; the one that counts most. */
  acknowledgement: Acknowledgement | null;
};

const MS_PER_DAY = 86_400_000;

/** An audience as stored; null for what is none. */
export function audienceOf(json: Json): Audience | null {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return null;
  const { kind, ids } = json;
  if (kind === 'all') return { kind };
  if (kind !== 'roles' && kind !== 'sites' && kind !== 'teams' && kind !== 'people') return null;
  return Array.isArray(ids) ? { kind, ids: ids.filter(id => typeof id === 'string') } : null;
}

/** Whether a campaign asks this person. */
export function asks(audience: Audience | null, { userId, role, siteIds, teamIds }: Membership): boolean {
  if (audience === null || audience.kind === 'all') return audience !== null;
  const own = { roles: [role], people: [userId], sites: siteIds, teams: teamIds }[audience.kind];
  return audience.ids.some(id => own.includes(id));
}

const laterOf = (...instants: readonly string[]): number => Math.max(...instants.map(each => Date.parse(each)));

/** When a person's answer to one campaign is due, in ms; Infinity where there is no day. */
function dueOf(policy: Policy, campaign: Campaign, belonging: Membership): number {
  const since = laterOf(campaign.starts_at, policy.major_since ?? campaign.starts_at, belonging.joinedAt);
  return campaign.due_days === null ? Number.POSITIVE_INFINITY : since + campaign.due_days * MS_PER_DAY;
}

/** What counts most of several words on versions of one major, first. */
const WEIGHT: readonly Acknowledgement['state'][] = ['acknowledged', 'exempt', 'declined', 'void', 'opened'];

export type Facts = {
  policy: Policy;
  /** Of this policy. */
  campaigns: readonly Campaign[];
  belonging: Membership | null;
  /** The person's own words on versions of the major in force. */
  acknowledgements: readonly Acknowledgement[];
};

/**
 * Where a person stands with a policy, worked out from campaigns and memberships: nothing is stored for those who were asked
 * and have not opened it. `policy.owed_acknowledgements` and the report decide the same in the database.
 */
export function policyStatus({ policy, campaigns, belonging, acknowledgements }: Facts): PolicyStatus {
  const best = acknowledgements.toSorted((a, b) => WEIGHT.indexOf(a.state) - WEIGHT.indexOf(b.state))[0] ?? null;
  const asking =
    belonging === null || policy.state !== 'published'
      ? []
      : campaigns.filter(
          campaign =>
            campaign.state === 'active' &&
            campaign.deleted_at === null &&
            asks(audienceOf(campaign.audience), belonging),
        );
  const isOwed = asking.length > 0;
  const due =
    belonging === null ? Number.POSITIVE_INFINITY : Math.min(...asking.map(each => dueOf(policy, each, belonging)));
  const dueAt = Number.isFinite(due) ? new Date(due).toISOString() : null;
  const found = { isOwed, dueAt, acknowledgement: best };
  if (best !== null && best.state !== 'opened') return { ...found, state: best.state };
  if (best !== null) return { ...found, state: 'opened' };
  return { ...found, state: isOwed ? 'requested' : 'none' };
}

/** Whether the person still has to say something. */
export const isWaiting = ({ state, isOwed }: PolicyStatus): boolean =>
  isOwed && (state === 'requested' || state === 'opened' || state === 'void');

/** Whether the day has passed on which they should have. */
export const isLate = (found: PolicyStatus, now: Date): boolean =>
  isWaiting(found) && found.dueAt !== null && Date.parse(found.dueAt) <= now.getTime();
