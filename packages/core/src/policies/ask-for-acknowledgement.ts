import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { Audience } from './policy-status.ts';

/** What a campaign asks of the quiz, where a version has one. */
export type QuizRule = {
  /** Nobody signs without passing it. */
  quizRequired: boolean;
  /** Questions that must be right; null: all. */
  quizRight: number | null;
};

export type NewCampaign = {
  /** A fresh id. */
  id: string;
  policyId: string;
  audience: Audience;
  /** Days from when it is owed; null: no day. */
  dueDays: number | null;
} & QuizRule;

/**
 * Asks people to acknowledge a policy: now, and again with each new major, until it is ended.
 *
 * @throws {Failure} `not_found`; `invalid` for an audience that means nobody
 */
export async function askForAcknowledgement(
  tx: WriteTx,
  { id, policyId, audience, dueDays, quizRequired, quizRight }: NewCampaign,
): Promise<void> {
  const policy = await tx.get('policies', policyId);
  if (!policy || policy.deleted_at !== null)
    throw new Failure('not_found', `askForAcknowledgement: no policy ${policyId}`);
  if (audience.kind !== 'all' && audience.ids.length === 0)
    throw new Failure('invalid', `askForAcknowledgement: ${policyId} asks nobody`);
  await tx.put('acknowledgement_campaigns', {
    id,
    organization_id: policy.organization_id,
    policy_id: policyId,
    audience: audience.kind === 'all' ? { kind: 'all' } : { kind: audience.kind, ids: [...audience.ids] },
    due_days: dueDays,
    quiz_required: quizRequired,
    quiz_right: quizRight,
  });
}

/** Asks no more; what was said stays. @throws {Failure} `not_found` */
export async function endCampaign(tx: WriteTx, id: string): Promise<void> {
  await tx.change('acknowledgement_campaigns', id, { state: 'ended' });
}

/** Changes what a campaign asks of the quiz, from now on; words that were given stay. @throws {Failure} `not_found` */
export async function askOfQuiz(tx: WriteTx, id: string, { quizRequired, quizRight }: QuizRule): Promise<void> {
  await tx.change('acknowledgement_campaigns', id, { quiz_required: quizRequired, quiz_right: quizRight });
}
