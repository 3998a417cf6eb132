import { Failure } from '@cairn/base/failure.ts';
import { oneLine } from '@cairn/base/one-line.ts';
import type { Json } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { policyHash } from './policy-hash.ts';
import { quizOf, rightAnswers, type QuizAnswers } from './quiz.ts';

export type KioskWord = {
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
function lacking(word: KioskWord): string | null {
  if (word.decision === 'declined' && word.reason.trim() === '') return 'a reason';
  if (word.decision === 'acknowledged' && oneLine(word.signedName) === '') return 'a name';
  if (word.passId === null && word.signature === null) return 'a signature by hand';
  return null;
}

/**
 * Writes down what somebody says of a version on the device of a witness, who sends it. The server decides whether it counts:
 * only for a member who owes it, and once.
 *
 * @throws {Failure} `not_found`; `stale_version` when another version was shown, it is out of force here, or their word waits on
 * this device; `invalid` without a name or a reason, without a drawn signature where no PIN was checked, or with a quiz not passed
 */
export async function giveKioskWord(tx: WriteTx, word: KioskWord): Promise<void> {
  const version = await tx.get('policy_versions', word.versionId);
  const policy = version && (await tx.get('policies', version.policy_id));
  if (!version || !policy || version.deleted_at !== null)
    throw new Failure('not_found', `giveKioskWord: no version ${word.versionId}`);
  const hash = policyHash(word.shown);
  if (policy.current_version_id !== version.id || version.content_hash !== hash)
    throw new Failure('stale_version', `giveKioskWord: ${version.id} is not what is in force`);
  const before = await tx.range('kiosk_words', 'policy', policy.id, policy.id);
  if (before.some(row => row.version_id === version.id && row.user_id === word.userId && row.outcome !== 'not_owed'))
    throw new Failure('stale_version', `giveKioskWord: a word on ${version.id} is here`);
  const lacks = lacking(word);
  if (lacks !== null) throw new Failure('invalid', `giveKioskWord: the word lacks ${lacks}`);
  const right = rightAnswers(quizOf(version.quiz), word.quiz.answers);
  if (word.decision === 'acknowledged' && right < (word.quizNeeded ?? 0))
    throw new Failure('invalid', `giveKioskWord: ${right} answers right, ${word.quizNeeded} are needed`);
  await tx.put('kiosk_words', { ...rowOf(word, policy.organization_id, policy.id), content_hash: hash });
}

const answersAsJson = (answers: QuizAnswers): Json =>
  Object.fromEntries(Object.entries(answers).map(([id, chosen]) => [id, [...chosen]]));

function rowOf(word: KioskWord, organizationId: string, policyId: string) {
  return {
    id: word.id,
    organization_id: organizationId,
    policy_id: policyId,
    version_id: word.versionId,
    user_id: word.userId,
    witness_id: word.witnessId,
    device: word.device.slice(0, 100),
    pass_id: word.passId,
    decision: word.decision,
    opened_at: word.openedAt,
    decided_at: word.at,
    sections_read: word.sectionsRead,
    sections: word.sections,
    quiz_attempts: word.quiz.attempts,
    quiz_answers: word.quiz.attempts > 0 ? answersAsJson(word.quiz.answers) : null,
    quiz_at: word.quiz.at,
    ...(word.decision === 'declined'
      ? {
          reason: word.reason.trim(),
          ...(word.signature !== null && { method: 'drawn' as const, signature: word.signature }),
        }
      : {
          method: word.signature === null ? ('typed' as const) : ('drawn' as const),
          signed_name: oneLine(word.signedName),
          signature: word.signature,
        }),
  };
}
