import { isNeverShown, isShown } from '../question-types/question-types.ts';
import type { CompiledGroup } from '../definition/compiled-form.ts';
import { isWorkedOut } from './worked-out.ts';
import type { QuestionState, RepeatState } from './question-state.ts';
import { NO_TALLY, type Tally, tallied, withScore } from './score.ts';

/**
 * What one part of a form shows: a section, a repeat, or what stands outside of them. While nothing in it changes it stays the
 * same object, so that an answer to one part costs nothing in the others.
 */
export type GroupState = {
  questions: readonly QuestionState[];
  /** What the form works out and never shows. */
  calculated: readonly QuestionState[];
  /** `from` and `to` count from the beginning of the piece. */
  repeats: readonly RepeatState[];
  blocking: readonly QuestionState[];
  failed: readonly QuestionState[];
  answered: number;
  total: number;
  /** By the path of the outermost section; empty outside sections. Only of sections that show something. */
  sections: ReadonlyMap<string, Tally>;
  /** The states of each question wherever it stands: by its path in the form, then by its places. */
  states: ReadonlyMap<string, ReadonlyMap<string, QuestionState>>;
  /** The sections and repeats right in it, by their path. */
  inner: ReadonlyMap<string, GroupState>;
};

/** Whether a person is to enter something: not for notes, nor for what the form works out or fixes. */
const isAsked = (state: QuestionState): boolean =>
  !isShown(state.question.type) && !isWorkedOut(state) && !state.question.read_only;

/** Puts a piece together in the order of the form. */
export class GroupStateBuilder {
  private readonly questions: QuestionState[] = [];
  private readonly calculated: QuestionState[] = [];
  private readonly repeats: RepeatState[] = [];
  private readonly blocking: QuestionState[] = [];
  private readonly failed: QuestionState[] = [];
  private readonly sections = new Map<string, Tally>();
  private readonly states = new Map<string, ReadonlyMap<string, QuestionState>>();
  private readonly own = new Map<string, Map<string, QuestionState>>();
  private readonly inner = new Map<string, GroupState>();
  private answered = 0;
  private total = 0;

  add(state: QuestionState): void {
    const { section } = state.item;
    this.keep(state);
    this.sections.set(section, withScore(this.sections.get(section) ?? NO_TALLY, state.item, state.score));
    if (isNeverShown(state.question.type)) {
      this.calculated.push(state);
      return;
    }
    this.questions.push(state);
    if (state.problem !== null) this.blocking.push(state);
    if (state.score.outcome === 'fail') this.failed.push(state);
    if (!isAsked(state)) return;
    this.total += 1;
    if (state.answered) this.answered += 1;
  }

  private keep(state: QuestionState): void {
    const { path } = state.item;
    const places = this.own.get(path);
    if (places) {
      places.set(state.path, state);
      return;
    }
    const first = new Map([[state.path, state]]);
    this.own.set(path, first);
    this.states.set(path, first);
  }

  /** Adds a section or repeat that stands in this part. */
  addGroup(group: string, part: GroupState): void {
    this.inner.set(group, part);
    for (const [path, places] of part.states) this.states.set(path, places);
    const before = this.questions.length;
    append(this.questions, part.questions);
    append(this.calculated, part.calculated);
    append(this.blocking, part.blocking);
    append(this.failed, part.failed);
    for (const repeat of part.repeats) {
      this.repeats.push(before === 0 ? repeat : { ...repeat, from: repeat.from + before, to: repeat.to + before });
    }
    for (const [path, tally] of part.sections) {
      const present = this.sections.get(path);
      this.sections.set(path, present ? tallied(present, tally) : tally);
    }
    this.answered += part.answered;
    this.total += part.total;
  }

  /** A repeat begins here. @returns what says that all of it was added */
  openRepeat(path: string, group: CompiledGroup, entries: readonly string[]): () => void {
    const state: RepeatState = { path, group, entries, from: this.questions.length, to: 0 };
    this.repeats.push(state);
    return () => {
      state.to = this.questions.length;
    };
  }

  done(): GroupState {
    const { questions, calculated, repeats, blocking, failed, answered, total, sections, states, inner } = this;
    return { questions, calculated, repeats, blocking, failed, answered, total, sections, states, inner };
  }
}

/** One by one: what is spread into a call has to fit on the stack. */
function append<T>(to: T[], from: readonly T[]): void {
  for (const each of from) to.push(each);
}
