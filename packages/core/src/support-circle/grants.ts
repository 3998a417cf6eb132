import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { visibility, type Level, type Scope } from './visibility.ts';

export type Relationship = Row<'circle_relationships'>;
export type Grant = Row<'consent_grants'>;

/**
 * Whether a grant opens anything now: neither taken back, over, nor yet to begin, in a relationship that is active.
 * @param now ms since 1970
 */
export function isOpen(grant: Grant, relationship: Pick<Relationship, 'state' | 'deleted_at'>, now: number): boolean {
  if (relationship.state !== 'active' || relationship.deleted_at !== null) return false;
  if (grant.revoked_at !== null || grant.deleted_at !== null || Date.parse(grant.valid_from) > now) return false;
  return grant.valid_until === null || Date.parse(grant.valid_until) > now;
}

export type GiveGrant = {
  id: string;
  relationshipId: string;
  /** Who grants: the subject of the relationship. */
  by: string;
  scope: Scope;
  level: Level;
  /** What was picked; null for everything of the scope. */
  itemIds: readonly string[] | null;
  /** ISO 8601; null: until it is taken back. */
  until: string | null;
  /** The present instant, ISO 8601. */
  at: string;
};

/** Days after which acting for somebody is over and granted anew, as the server has it. */
const ACT_DAYS = 31;

function monthAtMost(until: string | null, at: string): string {
  const month = new Date(Date.parse(at) + ACT_DAYS * 86_400_000).toISOString();
  return until === null || until > month ? month : until;
}

/**
 * Lets a helper see something. Only the subject does.
 *
 * @throws {Failure} `not_allowed` for what the role cannot be given; `not_found` for a relationship that is not there or over
 */
export async function giveGrant(tx: WriteTx, grant: GiveGrant): Promise<void> {
  const relationship = await tx.get('circle_relationships', grant.relationshipId);
  if (!relationship || relationship.state === 'ended' || relationship.subject_id !== grant.by) {
    throw new Failure('not_found', `giveGrant: ${grant.relationshipId}`);
  }
  const chosen = grant.itemIds !== null;
  const offered = visibility[relationship.role].some(
    each => each.scope === grant.scope && each.level === grant.level && each.chosen === chosen,
  );
  if (!offered || grant.itemIds?.length === 0) {
    throw new Failure('not_allowed', `giveGrant: ${relationship.role} ${grant.scope}/${grant.level}`);
  }
  await tx.put('consent_grants', {
    id: grant.id,
    relationship_id: grant.relationshipId,
    subject_id: grant.by,
    helper_id: relationship.helper_id,
    role: relationship.role,
    scope: grant.scope,
    level: grant.level,
    item_ids: grant.itemIds === null ? null : [...grant.itemIds],
    valid_from: grant.at,
    valid_until: grant.level === 'act' ? monthAtMost(grant.until, grant.at) : grant.until,
  });
}

/** Takes a grant back; here at once, on the helper's devices at their next contact. @param at ISO 8601 */
export async function revokeGrant(tx: WriteTx, id: string, at: string): Promise<void> {
  if (!(await tx.get('consent_grants', id))) throw new Failure('not_found', `revokeGrant: ${id}`);
  await tx.change('consent_grants', id, { revoked_at: at });
}

/**
 * Pauses, resumes or ends a relationship. Both sides pause and end; only the subject resumes.
 *
 * @throws {Failure} `not_found`; `not_allowed` for a helper who resumes; `stale_version` for one that has ended
 */
export async function moveRelationship(
  tx: WriteTx,
  { id, state, by }: { id: string; state: Relationship['state']; by: string },
): Promise<void> {
  const relationship = await tx.get('circle_relationships', id);
  if (!relationship) throw new Failure('not_found', `moveRelationship: ${id}`);
  if (relationship.state === 'ended') throw new Failure('stale_version', `moveRelationship: ${id} has ended`);
  if (state === 'active' && relationship.subject_id !== by) throw new Failure('not_allowed', `moveRelationship: ${id}`);
  await tx.change('circle_relationships', id, { state });
}

/** Letters of one message at most, as the server has it. */
export const MAX_MESSAGE_LENGTH = 500;

export type MessageInput = {
  id: string;
  relationshipId: string;
  fromId: string;
  body: string;
  /** ISO 8601. */ at: string;
};

/** Sends a nudge or a reply; it goes when there is a signal. @throws {Failure} `invalid` for an empty one; `not_found` */
export async function say(tx: WriteTx, { id, relationshipId, fromId, body, at }: MessageInput): Promise<void> {
  const words = body.trim();
  if (words === '' || words.length > MAX_MESSAGE_LENGTH) throw new Failure('invalid', `say: ${id}`);
  const relationship = await tx.get('circle_relationships', relationshipId);
  if (relationship?.state !== 'active') throw new Failure('not_found', `say: ${relationshipId}`);
  const { subject_id, helper_id } = relationship;
  await tx.put('circle_messages', {
    id,
    relationship_id: relationshipId,
    subject_id,
    helper_id,
    from_id: fromId,
    body: words,
    written_at: at,
  });
}

export type NoteRead = { id: string; grantId: string; helperId: string; /** ISO 8601. */ at: string };

/** ms within which reads under one grant are one, as at the server. */
const ONE_READ = 5 * 60_000;

/** Says that what a grant shows was read from the copy on this device, once in five minutes; the subject hears of it with both times. */
export async function noteRead(tx: WriteTx, { id, grantId, helperId, at }: NoteRead): Promise<void> {
  const since = new Date(Date.parse(at) - ONE_READ).toISOString();
  const near = await tx.range('grant_reads', 'read', since, `${at}\uffff`);
  if (near.some(read => read.grant_id === grantId && read.helper_id === helperId && read.offline)) return;
  await tx.put('grant_reads', { id, grant_id: grantId, helper_id: helperId, read_at: at });
}
