import type { Json, Row } from '@cairn/schema';

/** What a person entered for one question. */
export type GivenAnswer = {
  /** As `questionTypes` says for each type; null for none. For an entry of a repeat: a number, by which they are ordered. */
  value: Json;
  note: string | null;
  /** Ids of media. */
  mediaIds: readonly string[];
};

/** Answers by the path of their question or entry. */
export type Answers = ReadonlyMap<string, GivenAnswer>;

/** The rows of one inspection as answers. A removed row counts as no answer. */
export function answersOf(rows: readonly Row<'inspection_answers'>[]): Answers {
  const present = rows.filter(row => row.deleted_at === null);
  return new Map(
    present.map(row => [row.question, { value: row.value, note: row.note, mediaIds: textsIn(row.media_ids) }]),
  );
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
    a.mediaIds.length === b.mediaIds.length &&
    a.mediaIds.every((id, index) => id === b.mediaIds[index])
  );
}

const sameJson = (a: Json, b: Json): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
