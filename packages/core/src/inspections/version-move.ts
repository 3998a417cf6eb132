import type { Json } from '@cairn/schema';
import { misfit } from '../forms/definition/answer-fit.ts';
import type { Answers, GivenAnswer } from '../forms/answers/answers.ts';
import type { CompiledForm, CompiledGroup, CompiledItem, CompiledQuestion } from '../forms/definition/compiled-form.ts';
import { areKin, asksNothing, choosesFromList, isMedia, takesOne } from '../forms/question-types/question-types.ts';
import { entryOf, formPath } from '../forms/definition/repeat-path.ts';

/** An answer, or an entry of a repeat, that stands on the new version too. */
export type CarriedAnswer = {
  from: string;
  /** Another path where its section is another one now. */
  to: string;
  /** What is said there; `value` is null where only note and photos go along. */
  answer: GivenAnswer;
};

/** What a person said that the new version has no place for. */
export type LostAnswer = {
  from: string;
  /** What was asked. */
  item: CompiledItem;
  /** What is lost of it: for `other_answers` the value, else all. */
  answer: GivenAnswer;
  /** `gone`: nothing is asked there any more; `other_kind`: something else is; `other_answers`: this answer is not offered. */
  why: 'gone' | 'other_kind' | 'other_answers';
};

/** What becomes of a draft when it goes on with another version of its form. Every answer is in one of the lists. */
export type VersionMove = {
  carried: readonly CarriedAnswer[];
  lost: readonly LostAnswer[];
  /** What the new version asks and the old one did not. */
  fresh: readonly CompiledQuestion[];
};

/** Works out what a move from one version to another would do; nothing happens yet. */
export function planVersionMove(from: CompiledForm, to: CompiledForm, answers: Answers): VersionMove {
  const carried: CarriedAnswer[] = [];
  const lost: LostAnswer[] = [];
  const reached = new Set<CompiledItem>();
  for (const [path, answer] of answers) {
    const item = from.byPath.get(formPath(path));
    if (
      !item ||
      saysNothing(answer) ||
      (item.kind === 'question' && asksNothing(item.question.type) && item.kept === null)
    )
      continue;
    const target = targetOf(item, path, from, to);
    if (!target && item.kind === 'question' && asksNothing(item.question.type)) continue;
    if (!target) {
      lost.push({ from: path, item, answer, why: 'gone' });
    } else if (item.kind === 'group' || target.item.kind === 'group') {
      carried.push({ from: path, to: target.path, answer });
    } else {
      reached.add(target.item);
      place({ from: path, item, answer }, { item: target.item, path: target.path }, { carried, lost });
    }
  }
  const fresh = to.questions.filter(
    item => !asksNothing(item.question.type) && from.byPath.get(item.path)?.kind !== 'question' && !reached.has(item),
  );
  return { carried, lost, fresh };
}

const saysNothing = ({ value, note, mediaIds }: GivenAnswer): boolean =>
  value === null && note === null && mediaIds.length === 0;

type PlacedAnswer = { from: string; item: CompiledQuestion; answer: GivenAnswer };
type MoveResult = { carried: CarriedAnswer[]; lost: LostAnswer[] };

/** One answer whose question there is: it goes along as a whole, without its value, or not at all. */
function place(
  old: PlacedAnswer,
  target: { item: CompiledQuestion; path: string },
  { carried, lost }: MoveResult,
): void {
  const { from, item, answer } = old;
  if (!areKin(item.question.type, target.item.question.type)) {
    lost.push({ from, item, answer, why: 'other_kind' });
    return;
  }
  const fits = answer.value === null || isOffered(target.item, answer.value);
  const kept = fits ? answer : { ...answer, value: null };
  if (!saysNothing(kept)) carried.push({ from, to: target.path, answer: kept });
  if (!fits) lost.push({ from, item, answer: { value: answer.value, note: null, mediaIds: [] }, why: 'other_answers' });
}

type Target = { item: CompiledItem; path: string };

/** Where an answer stands on the new version: at its path, else where its question went with its name. */
function targetOf(item: CompiledItem, path: string, from: CompiledForm, to: CompiledForm): Target | null {
  const same = to.byPath.get(item.path);
  const here = same?.kind === item.kind && sameRepeats(item.repeats, same.repeats) ? same : undefined;
  if (item.kind === 'group') {
    const stands = here?.kind === 'group' && entryOf(path) !== null && sameRepeats([item], [here]);
    return stands ? { item: here, path } : null;
  }
  // What is worked out is worked out anew; what was kept stays, where it is still kept.
  if (here?.kind === 'question' && asksNothing(here.question.type))
    return here.kept === null ? null : { item: here, path };
  if (here?.kind === 'question') return { item: here, path };
  if (item.repeats.length > 0) return null;
  const { name } = item.question;
  const called = to.questions.filter(({ question }) => question.name === name);
  const [moved] = called;
  const isNew =
    moved !== undefined && called.length === 1 && !from.byPath.has(moved.path) && moved.repeats.length === 0;
  return isNew && !asksNothing(moved.question.type) ? { item: moved, path: moved.path } : null;
}

/** Entries are kept under the path of their repeat, those that the form counts under numbers. */
const sameRepeats = (a: readonly CompiledGroup[], b: readonly CompiledGroup[]): boolean =>
  a.length === b.length &&
  a.every((repeat, index) => {
    const other = b[index];
    return (
      other?.path === repeat.path &&
      other.group.type === repeat.group.type &&
      (other.group.count === undefined) === (repeat.group.count === undefined)
    );
  });

/** Whether a question takes this answer, as far as its kind and its list say; conditions are looked at in the runner. */
function isOffered({ question, choices }: CompiledQuestion, value: Json): boolean {
  if (isMedia(question.type)) return true;
  if (!choosesFromList(question.type)) return misfit(question, value) === null;
  const names = new Set<Json>(choices.map(choice => choice.name));
  if (takesOne(question.type)) return names.has(value);
  return Array.isArray(value) && value.every(each => names.has(each));
}
