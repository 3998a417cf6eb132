import { Failure } from '@cairn/base/failure.ts';
import { oneLine } from '@cairn/base/one-line.ts';
import type { Json } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { policyHash } from './policy-hash.ts';
import { quizOf, rightAnswers, type QuizAnswers } from './quiz.ts';

export type KioskAcknowledgement = {
  id: string;
  versionId: string;
  /** Whose word it is. */
  userId: string;
  /** Who is signed in on this device and stands for it. */
  witnessId: string;
  /** What this device calls itself. */
  device: string;
  /** Given by the server for the right PIN; null: the witness stands for who it was. */
  passId: string | null;
  /** Device time, ISO 8601. */
  openedAt: string;
  /** Device time, ISO 8601. */
  at: string;
  /** What was on the screen. */
  shown: { title: string; body: string; quiz?: string | null };
  sectionsRead: number;
  sections: number;
  quiz: {
    attempts: number;
    answers: QuizAnswers;
    /** Device time, ISO 8601; null: never answered. */ at: string | null;
  };
  /** How many questions must be right; null: none. */
  quizNeeded: number | null;
} & (
  | { decision: 'acknowledged'; signedName: string; /** Strokes (decision 25); null: typed. */ signature: Json }
  | { decision: 'declined'; reason: string; /** As above; null: a PIN says who it is. */ signature: Json }
);

/** What a word lacks before it can be kept; null where it is whole. */
function lacking(given: KioskAcknowledgement): string | null {
  if (given.decision === 'declined' && given.reason.trim() === '') return 'a reason';
  if (given.decision === 'acknowledged' && oneLine(given.signedName) === '') return 'a name';
  if (given.passId === null && given.signature === null) return 'a signature by hand';
  return null;
}

/**
 * Writes down what somebody says of a version on the device of a witness, who sends it. The server decides whether it counts:
 * only for a member who owes it, and once.
 *
 * @throws {Failure} `not_found`; `stale_version` when another version was shown, it is out of force here, or their word waits on
 * this device; `invalid` without a name or a reason, without a drawn signature where no PIN was checked, or with a quiz not passed
 */
export async function acknowledgeAtKiosk(tx: WriteTx, given: KioskAcknowledgement): Promise<void> {
  const version = await tx.get('policy_versions', given.versionId);
  const policy = version && (await tx.get('policies', version.policy_id));
  if (!version || !policy || version.deleted_at !== null)
    throw new Failure('not_found', `giveKioskWord: no version ${given.versionId}`);
  const hash = policyHash(given.shown);
  if (policy.current_version_id !== version.id || version.content_hash !== hash)
    throw new Failure('stale_version', `giveKioskWord: ${version.id} is not what is in force`);
  const before = await tx.range('kiosk_acknowledgements', 'policy', policy.id, policy.id);
  if (before.some(row => row.version_id === version.id && row.user_id === given.userId && row.outcome !== 'not_owed'))
    throw new Failure('stale_version', `giveKioskWord: a word on ${version.id} is here`);
  const lacks = lacking(given);
  if (lacks !== null) throw new Failure('invalid', `giveKioskWord: the word lacks ${lacks}`);
  const right = rightAnswers(quizOf(version.quiz), given.quiz.answers);
  if (given.decision === 'acknowledged' && right < (given.quizNeeded ?? 0))
    throw new Failure('invalid', `giveKioskWord: ${right} answers right, ${given.quizNeeded} are needed`);
  await tx.put('kiosk_acknowledgements', { ...rowOf(given, policy.organization_id, policy.id), content_hash: hash });
}

const answersAsJson = (answers: QuizAnswers): Json =>
  Object.fromEntries(Object.entries(answers).map(([id, chosen]) => [id, [...chosen]]));

function rowOf(given: KioskAcknowledgement, organizationId: string, policyId: string) {
  return {
    id: given.id,
    organization_id: organizationId,
    policy_id: policyId,
    version_id: given.versionId,
    user_id: given.userId,
    witness_id: given.witnessId,
    device: given.device.slice(0, 100),
    pass_id: given.passId,
    decision: given.decision,
    opened_at: given.openedAt,
    decided_at: given.at,
    sections_read: given.sectionsRead,
    sections: given.sections,
    quiz_attempts: given.quiz.attempts,
    quiz_answers: given.quiz.attempts > 0 ? answersAsJson(given.quiz.answers) : null,
    quiz_at: given.quiz.at,
    ...(given.decision === 'declined'
      ? {
          reason: given.reason.trim(),
          ...(given.signature !== null && { method: 'drawn' as const, signature: given.signature }),
        }
      : {
          method: given.signature === null ? ('typed' as const) : ('drawn' as const),
          signed_name: oneLine(given.signedName),
          signature: given.signature,
        }),
  };
}
