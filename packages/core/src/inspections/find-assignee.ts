import { compareCodes } from '@cairn/base/order.ts';
import type { Tx } from '@cairn/sync/store.ts';
import { isEnded } from '../action-items/action-status.ts';
import { activeMembers } from '../spaces/colleagues.ts';
import { othersAt } from '../spaces/others-at.ts';
import type { RuleAssignee } from '../forms/definition/rule-assignee.ts';

export type AssigneeQuery = {
  rule: RuleAssignee;
  /** Where the action item stands. */
  place: { organization_id: string; site_id: string | null };
  /** Who inspected. */
  conductor: string;
};

/**
 * Whom a rule means, as far as this device knows: of those who may work on action items at the place. Of several the nearest
 * (`conductors_manager`: in a team of the conductor, then at a site of theirs; a role: at the site, then whoever did not inspect
 * themselves), then who has the least to do. The database holds the same rule (`action.rule_assignee`), and asks it again where the
 * device found nobody or somebody who is no longer there.
 *
 * @returns null where nobody is meant
 */
export async function assigneeOf(tx: Tx, { rule, place, conductor }: AssigneeQuery): Promise<string | null> {
  const able = await othersAt(tx, place, { permission: 'action.work', without: [] });
  if (rule.startsWith('person:')) return able.find(person => person === rule.slice('person:'.length)) ?? null;
  const ranked =
    rule === 'conductors_manager'
      ? await rankedManagers(tx, { able, place, conductor })
      : await rankedOfRole(tx, { able, place, conductor, role: rule.slice('role:'.length) });
  const counted = await Promise.all(ranked.map(async each => ({ ...each, load: await openCount(tx, each.person) })));
  const [first] = counted.toSorted(
    (a, b) => a.distance - b.distance || a.load - b.load || compareCodes(a.person, b.person),
  );
  return first?.person ?? null;
}

type RankedPerson = { person: string; distance: number };
type CandidateQuery = Pick<AssigneeQuery, 'place' | 'conductor'> & { able: readonly string[] };

async function rankedManagers(tx: Tx, { able, place, conductor }: CandidateQuery): Promise<RankedPerson[]> {
  const managing = await othersAt(tx, place, { permission: 'action.manage', without: [conductor] });
  const [teams, sites] = await Promise.all([tx.all('team_members'), tx.all('site_members')]);
  const inTeam = together(teams.filter(isHere), ({ team_id: team }) => team, conductor);
  const atSite = together(sites.filter(isHere), ({ site_id: site }) => site, conductor);
  return managing
    .filter(person => able.includes(person))
    .map(person => ({ person, distance: inTeam.has(person) ? 0 : atSite.has(person) ? 1 : 2 }));
}

async function rankedOfRole(
  tx: Tx,
  { able, place, conductor, role }: CandidateQuery & { role: string },
): Promise<RankedPerson[]> {
  const { organization_id: organization, site_id: site } = place;
  const members = await activeMembers(tx, organization);
  const sites = (await tx.all('site_members')).filter(isHere).filter(row => row.site_id === site);
  const here = new Set(sites.map(({ user_id: user }) => user));
  const ofRole = members.filter(row => row.role === role).map(({ user_id: user }) => user);
  return ofRole
    .filter(person => able.includes(person))
    .map(person => ({ person, distance: (here.has(person) ? 0 : 2) + (person === conductor ? 1 : 0) }));
}

const isHere = ({ deleted_at: gone }: { deleted_at: string | null }): boolean => gone === null;

/** Everybody who is in a group that a person is in. */
function together<R extends { user_id: string }>(
  rows: readonly R[],
  groupOf: (row: R) => string,
  person: string,
): ReadonlySet<string> {
  const groups = new Set(rows.filter(row => row.user_id === person).map(groupOf));
  return new Set(rows.filter(row => groups.has(groupOf(row))).map(({ user_id: user }) => user));
}

async function openCount(tx: Tx, person: string): Promise<number> {
  const rows = await tx.range('action_items', 'whose', `${person}/`, `${person}/\uffff`);
  return rows.filter(row => row.assignee_id === person && row.deleted_at === null && !isEnded(row.status)).length;
}
