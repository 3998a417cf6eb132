import type { Question } from '../forms/definition/form-definition.ts';

const TIMER = /(?:^|\s)timer(?=\s|$)/;

/**
 * XLSForm and XForms know no stopwatch: ours goes out as a decimal number of seconds whose appearance begins with `timer`,
 * which other programs ask for as a number, and comes back as one.
 */
export function readTimer(question: Question): void {
  const { appearance = '' } = question;
  if (question.type !== 'decimal' || !TIMER.test(appearance)) return;
  question.type = 'timer';
  const rest = appearance.replace(TIMER, '').trim();
  if (rest === '') delete question.appearance;
  else question.appearance = rest;
}

/** The appearance a stopwatch goes out with. */
export const timerAppearance = (appearance: string | undefined): string => `timer ${appearance ?? ''}`.trim();
