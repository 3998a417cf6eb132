import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { oneLine } from '@cairn/base/one-line.ts';
import type { Json, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { Acknowledgement } from './policy-status.ts';
import { policyHash, type ShownContent } from './policy-hash.ts';
import { answersOf, quizOf, rightAnswers } from './quiz.ts';

/** One word a person and version, on whatever device it is given. */
export const acknowledgementId = (versionId: string, userId: string): string =>
  derivedId(versionId, `acknowledgement/${userId}`);

/** What every row about a person and a version says of both, and its id. */
export const ofReader = (version: Row<'policy_versions'>, userId: string) => ({
  id: acknowledgementId(version.id, userId),
  organization_id: version.organization_id,
  policy_id: version.policy_id,
  version_id: version.id,
  user_id: userId,
});

export type ReadingStart = { versionId: string; userId: string; /** Device time, ISO 8601. */ at: string };

/**
 * Notes that a person opened what they are asked to read; once. Nothing is noted of what is no longer in force.
 *
 * @throws {Failure} `not_found`
 */
export async function openForReading(tx: WriteTx, { versionId, userId, at }: ReadingStart): Promise<void> {
  const version = await tx.get('policy_versions', versionId);
  if (!version || version.deleted_at !== null || version.major === null)
    throw new Failure('not_found', `openForReading: no published version ${versionId}`);
  const id = acknowledgementId(versionId, userId);
  if (version.state !== 'published' || (await tx.get('policy_acknowledgements', id))) return;
  await tx.put('policy_acknowledgements', {
    ...ofReader(version, userId),
    opened_at: at,
  });
}

export type AcknowledgementInput = ReadingStart & {
  /** What was on the screen. */
  shown: ShownContent;
  /** Sections (of a PDF: pages) whose end was on the screen, and how many there are. */
  sectionsRead: number;
  sections: number;
  /** How many questions of the quiz must be right (`quizNeeded`); null or left out: none. */
  quizNeeded?: number | null;
} & (
    | {
        decision: 'acknowledged';
        signedName: string;
        /** Strokes (decision 25); null: the name was typed. */ signature: Json;
      }
    | { decision: 'declined'; reason: string }
  );

const FINAL: ReadonlySet<Acknowledgement['state']> = new Set(['acknowledged', 'exempt', 'void']);

/**
 * Writes down what a person says of a version, pinned to the hash of what was on their screen. Works without signal; the server
 * counts it when it arrives, unless a newer major is in force by then.
 *
 * @throws {Failure} `not_found`; `stale_version` when another version was shown, it is out of force here already, or a word was
 * given before; `invalid` without a name or a reason, or where the quiz is asked for and not passed
 */
export async function acknowledgePolicy(tx: WriteTx, given: AcknowledgementInput): Promise<void> {
  const { versionId, userId, at } = given;
  const version = await tx.get('policy_versions', versionId);
  const policy = version && (await tx.get('policies', version.policy_id));
  if (!version || !policy || version.deleted_at !== null)
    throw new Failure('not_found', `giveWord: no version ${versionId}`);
  const hash = policyHash(given.shown);
  if (policy.current_version_id !== versionId || version.content_hash !== hash)
    throw new Failure('stale_version', `giveWord: ${versionId} is not what is in force`);
  const id = acknowledgementId(versionId, userId);
  const before = await tx.get('policy_acknowledgements', id);
  if (before && FINAL.has(before.state)) throw new Failure('stale_version', `giveWord: ${id} is ${before.state}`);
  const right = rightAnswers(quizOf(version.quiz), answersOf(before?.quiz_answers));
  if (given.decision === 'acknowledged' && right < (given.quizNeeded ?? 0))
    throw new Failure('invalid', `giveWord: ${id} has ${right} answers right, ${given.quizNeeded} are needed`);
  const text = given.decision === 'acknowledged' ? oneLine(given.signedName) : given.reason.trim();
  if (text === '') throw new Failure('invalid', `giveWord: ${id} is not signed, or says no without a reason`);
  await tx.put('policy_acknowledgements', {
    ...ofReader(version, userId),
    opened_at: before?.opened_at ?? at,
    state: given.decision,
    content_hash: hash,
    sections_read: given.sectionsRead,
    sections: given.sections,
    decided_at: at,
    ...(given.decision === 'declined'
      ? { reason: text }
      : {
          method: given.signature === null ? 'typed' : 'drawn',
          signed_name: text,
          signature: given.signature,
          reason: null,
        }),
  });
}
