import { misfit, type Misfit } from '../forms/definition/answer-fit.ts';
import type { Choice, Question } from '../forms/definition/form-definition.ts';
import { isOrder, questionTypeDef, takesSeveral } from '../forms/question-types/question-types.ts';

/** What is said about the default of a question: a problem refuses the form, with a note it is imported without the default. */
export type DefaultFinding = { problem: string } | { note: string };

/**
 * Gives a question the default that stands in a file as a plain value, where it is an answer of its kind; otherwise it
 * would stand as one that nobody may give.
 *
 * @param choices those of its list, where it has one
 * @returns what is wrong with the default, or null
 */
export function takeDefault(question: Question, written: string, choices: readonly Choice[] | undefined) {
  // A cell that shows a day may hold a time, too: of a day only that is asked.
  const { literalDefault } = questionTypeDef(question.type);
  const text = literalDefault === 'day' ? written.replace(/^(\d{4}-\d{2}-\d{2})T[\d:]+$/, '$1') : written;
  const wrong = literalDefault === 'number' ? numberProblem(question, text) : otherNote(question, text, choices ?? []);
  if (wrong === null) question.default = valueOf(question, text);
  return wrong;
}

function valueOf({ type }: Question, text: string): string | number | string[] {
  const { literalDefault } = questionTypeDef(type);
  if (literalDefault === 'number') return Number(text);
  return literalDefault === 'names' ? text.split(/\s+/) : text;
}

const WRONG_NUMBER: Partial<Record<Misfit['fault'], string>> = {
  between: 'is not on this range',
  steps: 'is not on this range',
  timer: 'is no number of seconds',
};

function numberProblem(question: Question, text: string): DefaultFinding | null {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: `"${text}" is no number` };
  const wrong = misfit(question, value);
  if (!wrong) return null;
  const large = Number.isInteger(value) ? 'is no whole number that can be counted to' : 'is no whole number';
  return { problem: `"${text}" ${WRONG_NUMBER[wrong.fault] ?? large}` };
}

const LEFT_OUT = 'and was left out';
const WRONG_TEXT: Partial<Record<Misfit['fault'], string>> = {
  date: 'is no day, written 2026-11-21,',
  time: 'is no time, written 17:30,',
  datetime: 'is no day with a time, written 2026-11-21T17:30,',
};

function otherNote(question: Question, text: string, choices: readonly Choice[]): DefaultFinding | null {
  const { type, list } = question;
  if (questionTypeDef(type).literalDefault === null)
    return { note: 'a question of this kind cannot have a default; it was left out' };
  if (list !== undefined) return choiceNote(question, text, choices);
  const wrong = misfit(question, text);
  if (!wrong) return null;
  const allowed = question.allow_na === false ? 'neither pass nor fail' : 'none of pass, fail and na';
  return { note: `"${text}" ${WRONG_TEXT[wrong.fault] ?? `is ${allowed}`} ${LEFT_OUT}` };
}

function choiceNote(question: Question, text: string, choices: readonly Choice[]): DefaultFinding | null {
  const { type, list } = question;
  const names = new Set(choices.map(({ name }) => name));
  if (question.or_other) names.add('other');
  const chosen = takesSeveral(type) ? text.split(/\s+/) : [text];
  const unknown = chosen.find(name => !names.has(name));
  if (unknown !== undefined) return { note: `"${unknown}" is no choice of the list "${list}" ${LEFT_OUT}` };
  if (!isOrder(type) || (chosen.length === names.size && new Set(chosen).size === names.size)) return null;
  return { note: `"${text}" does not put each choice of the list "${list}" into an order ${LEFT_OUT}` };
}
