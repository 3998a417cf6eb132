import type { TFunction } from 'i18next';
import { type Choice, inLanguage } from '@cairn/core/forms/definition/form-definition.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { isMedia, isOrder, judges, questionTypeDef } from '@cairn/core/forms/question-types/question-types.ts';
import { isRunning } from '@cairn/core/forms/question-types/timer-value.ts';
import type { Json } from '@cairn/schema';
import { formatNumber } from '../../../shared/format/format.ts';
import { localWall } from './moment-answer.tsx';
import { placeText, pointsOf } from './place-answer.tsx';
import { spanAsText } from './span-input.tsx';

/** An answer as a person reads it; photos and signatures are shown, not told. */
export function answerText(state: QuestionState, language: string, t: TFunction<'field'>): string {
  if (isMedia(state.question.type)) return state.mediaIds.length === 0 ? t('report.unanswered') : '';
  return plainAnswerText(state, language, t);
}

/** What a stopwatch says, running or stopped; null for what is none. */
export function timerText(value: Json, t: TFunction<'field'>): string | null {
  if (isRunning(value)) return t('timer.running', { time: spanAsText(value.seconds) });
  return typeof value === 'number' ? spanAsText(value) : null;
}

/** What was said, without the files. */
export function plainAnswerText(
  { question, item, value }: Pick<QuestionState, 'question' | 'item' | 'value'>,
  language: string,
  t: TFunction<'field'>,
): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t('report.unanswered');
  if (judges(question.type) && (value === 'pass' || value === 'fail' || value === 'na')) {
    return t(`answer.${value}`);
  }
  if (value === true) return t('runner.acknowledge');
  const places = pointsOf(value);
  if (places.length > 0) {
    return places
      .map(place => placeText(place, t('place.accuracy', { metres: formatNumber(place.accuracy ?? 0, 0) })))
      .join('; ');
  }
  const { reads } = questionTypeDef(question.type);
  const time = reads === 'seconds' ? timerText(value, t) : null;
  if (time !== null) return time;
  if (reads === 'moment' && typeof value === 'string') return localWall(value).replace('T', ' ');
  const named = (name: unknown): string => {
    const choice = item.choices.find(each => each.name === name);
    return (choice && inLanguage(choice.label, language)) || String(name);
  };
  if (Array.isArray(value)) return value.map(named).join(isOrder(question.type) ? ' > ' : ', ');
  if (typeof value === 'number') return formatNumber(value, 6);
  return typeof value === 'string' ? named(value) : '';
}

/** The choices that were chosen, in the order of the answer; none for a question without choices. */
export function chosenOf({ item, value }: Pick<QuestionState, 'item' | 'value'>): Choice[] {
  const names = Array.isArray(value) ? value : [value];
  return names.flatMap(name => item.choices.find(choice => choice.name === name) ?? []);
}
