import {
  type Answers,
  answersOf,
  changedAnswers,
  type GivenAnswer,
  sameAnswer,
} from '@cairn/core/forms/answers/answers.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { type FormState, formState } from '@cairn/core/forms/answers/form-state.ts';
import { withStaleSignatures } from '@cairn/core/forms/answers/signed-over.ts';
import type { Moment } from '@cairn/core/forms/answers/place-scope.ts';
import type { Row } from '@cairn/schema';
import type { AnswerPatch } from '../answers/answer-drafts.ts';

type Rows = readonly Row<'inspection_answers'>[];
type Patches = ReadonlyMap<string, AnswerPatch>;

const EMPTY_PATCHES: Patches = new Map();
const EMPTY: GivenAnswer = { value: null, note: null, mediaIds: [] };

/**
 * Follows the answers of one inspection and works its form out from its last state: of thousands of answers only those that
 * changed are looked at.
 */
export class FormStateCache {
  private rows: Rows = [];
  private stored = new Map<string, GivenAnswer>();
  private patches: Patches = new Map();
  private given: Answers = new Map();
  private last: { compiled: CompiledForm; moment: Moment; form: FormState; shown: FormState } | null = null;

  /** The rows as answers, with what the person said since on top. The same object for as long as they say the same. */
  answers(rows: Rows, patches: Patches): Answers {
    if (this.given.size === 0 && patches.size === 0) return this.first(rows);
    const touched = new Set([...this.follow(rows), ...this.patches.keys(), ...patches.keys()]);
    this.patches = patches;
    const changes = new Map<string, GivenAnswer | null>();
    for (const path of touched) {
      const before = this.given.get(path);
      const stored = this.stored.get(path);
      const patch = patches.get(path);
      const now = patch ? { ...EMPTY, ...stored, ...patch } : stored;
      if (before && now ? !sameAnswer(before, now) : before !== now) changes.set(path, now ?? null);
    }
    if (changes.size > 0) this.given = changedAnswers(this.given, changes);
    return this.given;
  }

  /** Nothing was given so far: all of them are as they are stored. */
  private first(rows: Rows): Answers {
    this.rows = rows;
    this.patches = EMPTY_PATCHES;
    this.stored = new Map(answersOf(rows));
    if (this.stored.size > 0) this.given = new Map(this.stored);
    return this.given;
  }

  /** The form as it is with these answers. */
  next(compiled: CompiledForm, answers: Answers, moment: Moment): FormState {
    const { last } = this;
    if (last?.compiled === compiled && last.moment === moment && last.form.values.answers === answers)
      return last.shown;
    const form = formState(compiled, answers, moment, last?.form);
    const shown = withStaleSignatures(form);
    this.last = { compiled, moment, form, shown };
    return shown;
  }

  /** What the device holds as the answer at a path. */
  held = (path: string): GivenAnswer | undefined => this.stored.get(path);

  /** @returns the paths whose rows are other ones than the last time */
  private follow(rows: Rows): Iterable<string> {
    const before = this.rows;
    this.rows = rows;
    const isSameList = before.length === rows.length && rows.every((row, at) => row.question === before[at]?.question);
    if (!isSameList) {
      const known = this.stored;
      this.stored = new Map(answersOf(rows));
      return new Set([...known.keys(), ...this.stored.keys()]);
    }
    const changed = rows.filter((row, at) => row !== before[at]);
    const now = answersOf(changed);
    for (const { question } of changed) {
      const answer = now.get(question);
      if (answer) this.stored.set(question, answer);
      else this.stored.delete(question);
    }
    return changed.map(({ question }) => question);
  }
}
