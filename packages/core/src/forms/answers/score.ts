import type { Json } from '@cairn/schema';
import type { CompiledQuestion } from '../definition/compiled-form.ts';
import type { Scope } from '../expression/expression-scope.ts';
import { toBoolean } from '../expression/expression-values.ts';
import type { Choice, FormDefinition } from '../definition/form-definition.ts';
import { isOrder, judges, type QuestionType, takesSeveral } from '../question-types/question-types.ts';

export type Outcome = 'pass' | 'fail' | 'na';

/** How one answer counts. `max` 0: it counts for nothing (not scored, N/A, or no answer). */
export type AnswerScore = { outcome: Outcome | null; points: number; max: number };

/** Points of an inspection or a section. */
export type Score = {
  points: number;
  /** Points that counted: N/A and unanswered questions do not. */
  max: number;
  /** Whole per cent, half rounds up; null when nothing counted. */
  percent: number | null;
};

export type FormScore = Score & {
  /** Null when nothing was scored. */
  result: 'pass' | 'fail' | null;
  /** By the path of the outermost section; questions outside sections are under the empty path. */
  sections: ReadonlyMap<string, Score>;
};

const NONE: AnswerScore = { outcome: null, points: 0, max: 0 };

/**
 * How the present answer to a question counts.
 *
 * @param value as `questionTypes` says; null when unanswered
 * @param scope what its own rule for failing sees; asked for only where there is one
 */
export function scoreAnswer(item: CompiledQuestion, value: Json, scope: () => Scope): AnswerScore {
  const { question } = item;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return NONE;
  if (judges(question.type) && value === 'na') return { ...NONE, outcome: 'na' };
  const points = !isOrder(question.type) && item.choices.some(choice => choice.score !== undefined);
  if (!judges(question.type) && !question.scoring && !points) return NONE;

  const failed = fails(item, value, scope);
  const weight = (question.scoring?.weight ?? 1) * (item.parent?.weight ?? 1);
  const outcome = failed ? 'fail' : 'pass';
  if (points) return { outcome, ...choicePoints(question.type, item.choices, value, weight) };
  return { outcome, points: failed ? 0 : weight, max: weight };
}

function fails({ question, expressions }: CompiledQuestion, value: Json, scope: () => Scope): boolean {
  if (judges(question.type) && value === 'fail') return true;
  const failing = question.scoring?.fails ?? [];
  const chosen = Array.isArray(value) ? value : [value];
  if (chosen.some(name => typeof name === 'string' && failing.includes(name))) return true;
  const { fail_when: failWhen } = expressions;
  return failWhen !== undefined && toBoolean(failWhen.run(scope()));
}

/** One choice counts out of the best; several count together, out of all. */
function choicePoints(type: QuestionType, choices: readonly Choice[], value: Json, weight: number) {
  const scores = new Map(choices.map(choice => [choice.name, choice.score ?? 0]));
  const chosen = new Set(Array.isArray(value) ? value : [value]);
  const reached = [...scores].filter(([name]) => chosen.has(name)).map(([, score]) => score);
  const all = [...scores.values()];
  const max = takesSeveral(type) ? sum(all) : Math.max(0, ...all);
  return { points: sum(reached) * weight, max: max * weight };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Weights such as 0.1 do not add up exactly in binary; a millionth of a point is finer than any weight. */
const tidy = (points: number): number => Math.round(points * 1e6) / 1e6;

/** What a part of a form adds to the score of the whole. */
export type Tally = {
  points: number;
  max: number;
  /** How many answers count as passed or failed, how many of them failed, and whether a critical one did. */
  judged: number;
  failed: number;
  critical: boolean;
};

export const NO_TALLY: Tally = { points: 0, max: 0, judged: 0, failed: 0, critical: false };

/** A part of a form with one more answer. */
export function withScore(tally: Tally, { question }: CompiledQuestion, { outcome, points, max }: AnswerScore): Tally {
  if (outcome === null || outcome === 'na') return tally;
  const hasFailed = outcome === 'fail';
  return {
    points: tally.points + points,
    max: tally.max + max,
    judged: tally.judged + 1,
    failed: tally.failed + (hasFailed ? 1 : 0),
    critical: tally.critical || (hasFailed && question.scoring?.critical === true),
  };
}

/** Two parts of a form together. */
export const tallied = (a: Tally, b: Tally): Tally => ({
  points: a.points + b.points,
  max: a.max + b.max,
  judged: a.judged + b.judged,
  failed: a.failed + b.failed,
  critical: a.critical || b.critical,
});

function total(tally: Tally): Score {
  const [points, max] = [tidy(tally.points), tidy(tally.max)];
  return { points, max, percent: max > 0 ? Math.round((points * 100) / max) : null };
}

/**
 * The score of a whole form over its visible questions, from what each of its outermost sections adds.
 *
 * It fails when a critical question failed, when its points stay under `pass_percent`, or when something failed and no
 * points count at all.
 */
export function scoreForm(form: FormDefinition, sections: ReadonlyMap<string, Tally>): FormScore {
  const all = [...sections.values()].reduce(tallied, NO_TALLY);
  const whole = total(all);
  return {
    ...whole,
    result: resultOf(form, all, whole),
    sections: new Map([...sections].map(([path, tally]) => [path, total(tally)])),
  };
}

function resultOf(form: FormDefinition, all: Tally, whole: Score): FormScore['result'] {
  if (all.judged === 0) return null;
  if (all.critical) return 'fail';
  if (whole.max === 0) return all.failed > 0 ? 'fail' : 'pass';
  return tidy(whole.points * 100) < tidy(form.pass_percent * whole.max) ? 'fail' : 'pass';
}
