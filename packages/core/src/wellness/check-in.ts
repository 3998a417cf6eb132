import { Failure } from '@cairn/base/failure.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Draft, Json, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';

export type CheckIn = Row<'wellness_check_ins'>;
export type SkipReason = NonNullable<CheckIn['skipped']>;

export const SKIP_REASONS = ['no_time', 'sick', 'holiday', 'rather_not'] as const satisfies readonly SkipReason[];

/** What a check-in asks, each 1 to 5. */
export const SCALES = ['mood', 'energy', 'stress', 'sleep_quality'] as const;
export type Scale = (typeof SCALES)[number];

/** Words offered for what played a part; a person adds their own. */
export const OFFERED_TAGS = ['work', 'family', 'friends', 'outdoors', 'sport', 'slept_well', 'pain', 'alone'] as const;

const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 40;

/** The words of a check-in. */
export const tagsOf = ({ tags }: { tags: Json }): string[] => textsIn(tags);

/** What may be said; null takes an answer back. `sleep_hours` in hours, `note` closed on this device. */
export type CheckInAnswers = Partial<
  Pick<CheckIn, Scale | 'sleep_hours' | 'note' | 'skipped'> & { tags: readonly string[] }
>;

export type SaveCheckIn = {
  /** A fresh id, or that of the check-in to change. */
  id: string;
  userId: string;
  /** The local day it is about (YYYY-MM-DD); not later than today. */
  day: string;
  /** The present instant, ISO 8601; of a new one. */
  at: string;
  answers: CheckInAnswers;
};

const isLevel = (value: number | null): boolean =>
  value === null || (Number.isInteger(value) && value >= 1 && value <= 5);

function problemOf(answers: CheckInAnswers): string | null {
  const wrong = SCALES.find(scale => !isLevel(answers[scale] ?? null));
  if (wrong) return wrong;
  const hours = answers.sleep_hours ?? null;
  return hours !== null && !(hours >= 0 && hours <= 24) ? 'sleep_hours' : null;
}

/** Words as they are kept: trimmed, once each, at most 20 of at most 40 letters. */
export function tidyTags(tags: readonly string[]): string[] {
  const words = tags.map(tag => tag.trim().slice(0, MAX_TAG_LENGTH)).filter(tag => tag !== '');
  return [...new Set(words)].slice(0, MAX_TAGS);
}

/**
 * Saves what a person said about themselves: a new check-in, or more of one. A reason to skip and answers exclude each
 * other: the later of the two counts.
 *
 * @throws {Failure} `invalid` for a value outside its scale; `not_found` for one that was deleted
 */
export async function saveCheckIn(tx: WriteTx, { id, userId, day, at, answers }: SaveCheckIn): Promise<void> {
  const problem = problemOf(answers);
  if (problem) throw new Failure('invalid', `saveCheckIn: ${id} ${problem}`);
  const { tags, ...rest } = answers;
  const hasAnswer = SCALES.some(scale => (answers[scale] ?? null) !== null) || (answers.sleep_hours ?? null) !== null;
  const fields: Partial<Draft<'wellness_check_ins'>> = {
    ...rest,
    ...(tags !== undefined && { tags: tidyTags(tags) }),
    ...(hasAnswer && { skipped: null }),
    ...((answers.skipped ?? null) !== null && {
      mood: null,
      energy: null,
      stress: null,
      sleep_hours: null,
      sleep_quality: null,
    }),
  };
  const present = await tx.get('wellness_check_ins', id);
  if (present?.deleted_at) throw new Failure('not_found', `saveCheckIn: ${id} was deleted`);
  if (present) await tx.change('wellness_check_ins', id, fields);
  else await tx.put('wellness_check_ins', { id, user_id: userId, day, at, tags: [], ...fields });
}

/** Takes a check-in away. */
export async function removeCheckIn(tx: WriteTx, id: string): Promise<void> {
  await tx.remove('wellness_check_ins', id);
}

/** Takes every check-in away. @returns how many */
export async function removeAllCheckIns(tx: WriteTx): Promise<number> {
  const all = (await tx.all('wellness_check_ins')).filter(row => row.deleted_at === null);
  for (const { id } of all) await tx.remove('wellness_check_ins', id);
  return all.length;
}
