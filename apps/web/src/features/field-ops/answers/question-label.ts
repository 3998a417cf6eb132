import { inLanguage, type Question } from '@cairn/core/forms/definition/form-definition.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';

/** What a question is called for people: its label, else its name with its underscores as spaces. */
export function questionLabel(question: Question, language: string): string {
  return inLanguage(question.label, language) || question.name.replaceAll('_', ' ');
}

/** Likewise, with the answers it mentions, and which entry of a repeat it stands in: "Tread (2)". */
export function entryLabel({ question, label, place }: QuestionState, language: string): string {
  const text = label || questionLabel(question, language);
  return place.positions.length > 0 ? `${text} (${place.positions.join('.')})` : text;
}
