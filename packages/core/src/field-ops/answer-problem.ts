import type { Json } from '@cairn/schema';
import type { CompiledQuestion } from './compiled-form.ts';
import { daysSince1970, toBoolean } from './expression-values.ts';
import { inLanguage, type Question } from './form-definition.ts';
import { type FormValues, offeredChoices } from './form-values.ts';

/** Why an answer does not do yet. `message` is the form author's own words where there are any. */
export type AnswerProblem = {
  kind: 'required' | 'wrong_type' | 'not_offered' | 'constraint' | 'photo_required' | 'note_required';
  message: string;
};

/** `value` null and no photo is no answer. */
export const isAnswered = (question: Question, value: Json, mediaIds: readonly string[]): boolean => {
  if (question.type === 'photo') return mediaIds.length > 0;
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && (typeof value !== 'string' || value.trim() !== '');
};

type Given = {
  value: Json;
  answered: boolean;
  required: boolean;
  failed: boolean;
  note: string | null;
  mediaIds: readonly string[];
  language: string | undefined;
};

/** The first thing wrong with what was entered for a visible question, or null. */
export function answerProblem(item: CompiledQuestion, given: Given, form: FormValues): AnswerProblem | null {
  const { question } = item;
  if (!given.answered) {
    const own = inLanguage(question.required_message, given.language);
    return given.required ? { kind: 'required', message: own || 'This needs an answer.' } : null;
  }
  return typeProblem(item, given.value, form) ?? constraintProblem(item, given, form) ?? failProblem(question, given);
}

const wrong = (message: string): AnswerProblem => ({ kind: 'wrong_type', message });

const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const isDay = (value: Json): boolean => typeof value === 'string' && daysSince1970(value) !== null;
const isTime = (value: Json): boolean => typeof value === 'string' && TIME.test(value);

const CHECKS: Partial<Record<Question['type'], { fits(value: Json): boolean; message: string }>> = {
  text: { fits: value => typeof value === 'string', message: 'This must be a text.' },
  integer: { fits: value => Number.isSafeInteger(value), message: 'This must be a whole number.' },
  decimal: { fits: value => Number.isFinite(value), message: 'This must be a number.' },
  date: { fits: isDay, message: 'This must be a date.' },
  time: { fits: isTime, message: 'This must be a time.' },
};

function typeProblem(item: CompiledQuestion, value: Json, form: FormValues): AnswerProblem | null {
  const { question } = item;
  const check = CHECKS[question.type];
  if (check) return check.fits(value) ? null : wrong(check.message);
  if (question.type === 'pass_fail') {
    const allowed = ['pass', 'fail', ...(question.allow_na === false ? [] : ['na'])];
    return typeof value === 'string' && allowed.includes(value) ? null : wrong('Choose one of the answers.');
  }
  if (question.type === 'signature') return isSignature(value) ? null : wrong('This must be a signature.');
  return question.type === 'select_one' || question.type === 'select_multiple'
    ? choiceProblem(item, value, form)
    : null;
}

function isSignature(value: Json): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { strokes } = value;
  return Array.isArray(strokes) && strokes.some(stroke => Array.isArray(stroke) && stroke.length > 0);
}

function choiceProblem(item: CompiledQuestion, value: Json, form: FormValues): AnswerProblem | null {
  const several = item.question.type === 'select_multiple';
  if (several !== Array.isArray(value)) return wrong('Choose from the list.');
  const offered = new Set<Json>(offeredChoices(item, form).map(choice => choice.name));
  const chosen = Array.isArray(value) ? value : [value];
  if (chosen.every(name => offered.has(name))) return null;
  return { kind: 'not_offered', message: 'This choice is no longer offered. Choose again.' };
}

function constraintProblem(item: CompiledQuestion, given: Given, form: FormValues): AnswerProblem | null {
  const { constraint } = item.expressions;
  if (!constraint || toBoolean(constraint.run(form.scope(form.values.get(item.path) ?? '')))) return null;
  const own = inLanguage(item.question.constraint_message, given.language);
  return { kind: 'constraint', message: own || 'This answer is not allowed here.' };
}

function failProblem({ on_fail: onFail }: Question, given: Given): AnswerProblem | null {
  if (!given.failed || !onFail) return null;
  if (onFail.photo === 'required' && given.mediaIds.length === 0) {
    return { kind: 'photo_required', message: 'Add a photo of what failed.' };
  }
  if (onFail.note === 'required' && (given.note ?? '').trim() === '') {
    return { kind: 'note_required', message: 'Write what failed.' };
  }
  return null;
}
