import { textsIn } from '@cairn/base/texts-in.ts';
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

/** A row that is the same object is the same answer: of thousands only what changed is looked at again. */
const known = new WeakMap<Row<'inspection_answers'>, GivenAnswer>();

function givenIn(row: Row<'inspection_answers'>): GivenAnswer {
  const present = known.get(row);
  if (present) return present;
  const { value, note, media_ids: mediaIds } = row;
  const voiceIds = textsIn(row.voice_ids);
  const given = { value, note, mediaIds: textsIn(mediaIds), ...(voiceIds.length > 0 && { voiceIds }) };
  known.set(row, given);
  return given;
}

/** Where answers came from: a hint that saves a comparison, and keeps nothing alive. */
const origins = new WeakMap<Answers, { from: WeakRef<Answers>; paths: ReadonlySet<string> }>();

/** Answers with some of them others; null takes one away. */
export function changedAnswers(from: Answers, changes: ReadonlyMap<string, GivenAnswer | null>): Answers {
  const answers = new Map(from);
  for (const [path, answer] of changes) {
    if (answer) answers.set(path, answer);
    else answers.delete(path);
  }
  origins.set(answers, { from: new WeakRef(from), paths: new Set(changes.keys()) });
  return answers;
}

/** Paths of all answers that may differ; null where that is not known without comparing. */
export function pathsChanged(from: Answers, to: Answers): ReadonlySet<string> | null {
  const origin = origins.get(to);
  return origin?.from.deref() === from ? origin.paths : null;
}

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
