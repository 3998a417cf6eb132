import type { Json } from '@cairn/schema';
import { answersHash } from './content-hash.ts';
import type { Signature, SignedContent } from '../definition/form-definition.ts';
import { isDrawn } from '../question-types/question-types.ts';
import type { FormState } from './form-state.ts';
import type { QuestionState } from './question-state.ts';

/**
 * What a signature in a question stands for: every answer above it, and those below it that were given when it was drawn.
 * Answers below that come later are the form's own order, e.g. where somebody signs that they have read the rules first.
 *
 * @param path the signature question's path
 */
export function signedOver(questions: readonly QuestionState[], path: string): SignedContent {
  const at = placeOf(questions, path);
  const also = questions
    .slice(at + 1)
    .filter(isGiven)
    .map(state => state.path);
  return { hash: hashOver(questions, at, also), also };
}

/**
 * A form whose signatures stand for what is answered now: one whose answers changed after it was drawn counts as not given
 * and blocks finishing. What is stored of it stays until somebody signs again. One of an earlier build does not say what it
 * was drawn over, and is left as it is.
 */
export function withStaleSignatures(form: FormState): FormState {
  const stale = new Map(
    form.questions
      .filter(state => isStale(form.questions, state))
      .map(state => [state.path, { ...state, value: null, answered: false, problem: SIGN_AGAIN }]),
  );
  if (stale.size === 0) return form;
  return {
    ...form,
    questions: form.questions.map(state => stale.get(state.path) ?? state),
    blocking: [...form.blocking.filter(({ path }) => !stale.has(path)), ...stale.values()],
    answered: form.answered - stale.size,
  };
}

/** A signature as its person drew it, without what the device noted that it was drawn over; any other value as it is. */
export function asDrawn(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('strokes' in value)) return value;
  const { over: _over, ...drawn } = value;
  return drawn;
}

const SIGN_AGAIN = { kind: 'required', message: null, fault: 'sign_again' } as const;

const isSignature = (state: QuestionState): boolean => isDrawn(state.question.type);
const isGiven = (state: QuestionState): boolean => !isSignature(state) && (state.answered || state.note !== null);

function isStale(questions: readonly QuestionState[], state: QuestionState): boolean {
  if (!isSignature(state) || !state.answered) return false;
  const over = overOf(state.value);
  return over !== null && over.hash !== hashOver(questions, placeOf(questions, state.path), over.also);
}

function overOf(value: Json): SignedContent | null {
  const { over } = value as Signature & { [key: string]: Json };
  return over && typeof over.hash === 'string' && Array.isArray(over.also) ? over : null;
}

function hashOver(questions: readonly QuestionState[], at: number, also: readonly string[]): string {
  const below = new Set(also);
  return answersHash(questions.filter((state, index) => !isSignature(state) && (index < at || below.has(state.path))));
}

const placeOf = (questions: readonly QuestionState[], path: string): number =>
  questions.findIndex(state => state.path === path);
