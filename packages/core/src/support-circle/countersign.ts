import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { oneLine } from '@cairn/base/one-line.ts';
import type { Json, Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';
import { acknowledgementId } from '../policies/acknowledge.ts';
import type { Countersigner } from '../policies/certificate.ts';
import { policyFileOf } from '../policies/policy-file.ts';
import { policyHash } from '../policies/policy-hash.ts';
import { giveGrant, isOpen, type Grant, type Relationship } from './grants.ts';
import type { SharedPrinciple } from './shared-view.ts';

export type Countersignature = Row<'countersignatures'>;

/** Letters of a no at most, as the server has it. */
export const MAX_DECLINE_LENGTH = 2000;

/** One answer a grant, on whatever device it is given. */
export const countersignatureId = (grantId: string): string => derivedId(grantId, 'countersignature');

/** Whether a version can be put before a partner: in force, and nothing but words, which a grant shows whole. */
export const canBeCountersigned = (version: Row<'policy_versions'>): boolean =>
  version.state === 'published' && version.quiz === null && policyFileOf(version) === null;

/** Somebody who was asked to countersign one version, and what became of it. */
export type CountersignRequest = {
  grant: Grant;
  relationship: Relationship;
  state: 'asked' | 'signed' | 'declined' | 'ended';
  answer: Countersignature | null;
};

const itemOf = ({ item_ids: ids }: Grant): string | null =>
  Array.isArray(ids) && typeof ids[0] === 'string' ? ids[0] : null;

async function askedFor(tx: Tx, versionId: string, by: string): Promise<CountersignRequest[]> {
  const answers = (await tx.range('countersignatures', 'principle', versionId, versionId)).filter(
    row => row.deleted_at === null && row.subject_id === by,
  );
  const relationships = new Map((await tx.all('circle_relationships')).map(row => [row.id, row]));
  return (await tx.all('consent_grants'))
    .filter(grant => grant.scope === 'principles' && grant.subject_id === by && itemOf(grant) === versionId)
    .toSorted((a, b) => a.valid_from.localeCompare(b.valid_from))
    .flatMap(grant => {
      const relationship = relationships.get(grant.relationship_id);
      if (!relationship) return [];
      const answer = answers.find(row => row.grant_id === grant.id) ?? null;
      // An ask begins at once and has no end: it does not hang on a clock.
      const isAsked = isOpen(grant, relationship, Date.parse(grant.valid_from));
      return [{ grant, relationship, answer, state: answer?.decision ?? (isAsked ? 'asked' : 'ended') }];
    });
}

export type CountersignState = {
  /** Who was asked, the first ask first; those that came to nothing are left out. */
  asked: CountersignRequest[];
  /** Who could be asked now. */
  partners: Relationship[];
};

/** Who countersigns a person's own version, and who could. */
export function countersigning(versionId: string, by: string): Query<CountersignState> {
  return {
    key: `support-circle/countersigning/${versionId}/${by}`,
    tables: ['countersignatures', 'circle_relationships', 'consent_grants'],
    async read(tx) {
      const asked = (await askedFor(tx, versionId, by)).filter(({ state }) => state !== 'ended');
      const own = await tx.range('circle_relationships', 'subject', by, by);
      const partners = own.filter(
        row => row.role === 'accountability_partner' && row.state === 'active' && row.deleted_at === null,
      );
      return { asked, partners };
    },
  };
}

/** Who signed under a person's word on a version, for their certificate; also where nothing is granted any more. */
export function countersigners(versionId: string): Query<Countersigner[]> {
  return {
    key: `support-circle/countersigners/${versionId}`,
    tables: ['countersignatures'],
    async read(tx) {
      const rows = await tx.range('countersignatures', 'principle', versionId, versionId);
      return rows.flatMap(
        ({ deleted_at, signed_name: name, account_name, method, signature, decided_at, received_at }) =>
          deleted_at === null && name !== null && method !== null
            ? [{ name, account_name: account_name ?? null, method, signature, decided_at, received_at }]
            : [],
      );
    },
  };
}

export type AskToCountersign = {
  id: string;
  relationshipId: string;
  versionId: string;
  /** Whose principle it is. */
  by: string;
  /** ISO 8601. */
  at: string;
};

/**
 * Asks one partner to put their name under what a person committed to; they see this version and nothing else. Goes when there
 * is a signal.
 *
 * @throws {Failure} `not_found` for a version or partner that is not there; `invalid` for what one did not commit to, or cannot be
 * countersigned; `not_allowed` for somebody who is no partner; `stale_version` while somebody else is asked or has signed
 */
export async function askToCountersign(tx: WriteTx, ask: AskToCountersign): Promise<void> {
  const { id, relationshipId, versionId, by, at } = ask;
  const version = await tx.get('policy_versions', versionId);
  if (!version || version.deleted_at !== null) throw new Failure('not_found', `askToCountersign: ${versionId}`);
  const acknowledgement = await tx.get('policy_acknowledgements', acknowledgementId(versionId, by));
  if (acknowledgement?.state !== 'acknowledged' || !canBeCountersigned(version))
    throw new Failure('invalid', `askToCountersign: ${versionId} is not committed to, or more than words`);
  const relationship = await tx.get('circle_relationships', relationshipId);
  if (relationship?.state !== 'active') throw new Failure('not_found', `askToCountersign: ${relationshipId}`);
  const before = await askedFor(tx, versionId, by);
  if (before.some(({ state }) => state === 'asked' || state === 'signed'))
    throw new Failure('stale_version', `askToCountersign: ${versionId} is with somebody`);
  const grant = { id, relationshipId, by, at, scope: 'principles', level: 'countersign' } as const;
  await giveGrant(tx, { ...grant, itemIds: [versionId], until: null });
}

/** A partner's own answer to what they were asked; null while there is none. */
export function ownAnswer(grantId: string): Query<Countersignature | null> {
  return {
    key: `support-circle/ownAnswer/${grantId}`,
    tables: ['countersignatures'],
    read: async tx => (await tx.get('countersignatures', countersignatureId(grantId))) ?? null,
  };
}

export type AnswerPrinciple = {
  grantId: string;
  helperId: string;
  /** What is on the partner's screen. */
  principle: SharedPrinciple;
  /** Device time, ISO 8601. */
  at: string;
} & (
  | {
      decision: 'signed';
      signedName: string;
      /** Strokes (decision 25); null: the name was typed. */ signature: Json;
    }
  | { decision: 'declined'; /** May be empty. */ reason: string }
);

/**
 * Countersigns a principle or says no, pinned to the hash of what was on the partner's screen. Works without signal.
 *
 * @throws {Failure} `not_found` where nobody asks any more; `stale_version` when the words are not what their hash says, or an answer
 * was given before; `invalid` without a name, or for a reason that is too long
 */
export async function answerPrinciple(tx: WriteTx, answer: AnswerPrinciple): Promise<void> {
  const { grantId, helperId, principle, at } = answer;
  const grant = await tx.get('consent_grants', grantId);
  const relationship = grant && (await tx.get('circle_relationships', grant.relationship_id));
  if (!grant || !relationship || grant.helper_id !== helperId || !isOpen(grant, relationship, Date.parse(at)))
    throw new Failure('not_found', `answerPrinciple: nobody asks ${grantId}`);
  const id = countersignatureId(grantId);
  if (policyHash(principle) !== principle.content_hash || (await tx.get('countersignatures', id)))
    throw new Failure('stale_version', `answerPrinciple: ${grantId} has another text, or an answer`);
  const text = answer.decision === 'signed' ? oneLine(answer.signedName) : answer.reason.trim();
  if ((answer.decision === 'signed' && text === '') || text.length > MAX_DECLINE_LENGTH)
    throw new Failure('invalid', `answerPrinciple: ${grantId} is not signed, or says too much`);
  await tx.put('countersignatures', {
    id,
    grant_id: grantId,
    helper_id: helperId,
    version_id: principle.version_id,
    decision: answer.decision,
    content_hash: principle.content_hash,
    decided_at: at,
    ...(answer.decision === 'declined'
      ? { reason: text }
      : { method: answer.signature === null ? 'typed' : 'drawn', signed_name: text, signature: answer.signature }),
  });
}
