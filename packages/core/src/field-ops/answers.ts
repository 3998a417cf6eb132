import type { Json, Row } from '@cairn/schema';

/** What a person entered for one question. */
export type GivenAnswer = {
  /** As `questionTypes` says for each type; null for none. For an entry of a repeat: a number, by which they are ordered. */
  value: Json;
  note: string | null;
  /** Ids of media. */
  mediaIds: readonly string[];
  /** Ids of voice notes, said beside the answer; none where left out. */
  voiceIds?: readonly string[];
};

/** Answers by the path of their question or entry. */
export type Answers = ReadonlyMap<string, GivenAnswer>;

/** The rows of one inspection as answers. A removed row counts as no answer. */
export function answersOf(rows: readonly Row<'inspection_answers'>[]): Answers {
  const present = rows.filter(row => row.deleted_at === null);
  return new Map(present.map(row => [row.question, givenIn(row)]));
}

function givenIn({ value, note, media_ids, voice_ids }: Row<'inspection_answers'>): GivenAnswer {
  const voiceIds = textsIn(voice_ids);
  return { value, note, mediaIds: textsIn(media_ids), ...(voiceIds.length > 0 && { voiceIds }) };
}

/** The texts in a JSON list such as `media_ids`; anything else in it is left out. */
export const textsIn = (list: Json): string[] =>
  Array.isArray(list) ? list.filter(entry => typeof entry === 'string') : [];

/** Whether two answers say the same. */
export function sameAnswer(a: GivenAnswer, b: GivenAnswer): boolean {
  if (a === b) return true;
  return (
    a.note === b.note &&
    sameJson(a.value, b.value) &&
    sameIds(a.mediaIds, b.mediaIds) &&
    sameIds(a.voiceIds ?? [], b.voiceIds ?? [])
  );
}

const sameIds = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);

const sameJson = (a: Json, b: Json): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
