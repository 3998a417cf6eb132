import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { acknowledgementId, ofReader, type ReadingStart } from './acknowledge.ts';
import { quizOf, type QuizAnswers } from './quiz.ts';

/**
 * Writes down one attempt at the quiz of what is in force: counted, with what was answered and when. There may be any number of
 * them until a word is given.
 *
 * @throws {Failure} `not_found` where there is no such quiz; `stale_version` once it is out of force here, or a word was given
 */
export async function answerQuiz(tx: WriteTx, attempt: ReadingStart & { answers: QuizAnswers }): Promise<void> {
  const { versionId, userId, at } = attempt;
  const version = await tx.get('policy_versions', versionId);
  const policy = version && (await tx.get('policies', version.policy_id));
  if (!version || !policy || version.deleted_at !== null || quizOf(version.quiz).length === 0)
    throw new Failure('not_found', `answerQuiz: no quiz of ${versionId}`);
  const before = await tx.get('policy_acknowledgements', acknowledgementId(versionId, userId));
  const isOpen = !before || before.state === 'opened' || before.state === 'declined';
  if (policy.current_version_id !== versionId || !isOpen)
    throw new Failure('stale_version', `answerQuiz: ${versionId} is not answered any more`);
  const answers = Object.fromEntries(Object.entries(attempt.answers).map(([id, chosen]) => [id, [...chosen]]));
  await tx.put('policy_acknowledgements', {
    ...ofReader(version, userId),
    opened_at: before?.opened_at ?? at,
    quiz_attempts: (before?.quiz_attempts ?? 0) + 1,
    quiz_answers: answers,
    quiz_at: at,
  });
}
