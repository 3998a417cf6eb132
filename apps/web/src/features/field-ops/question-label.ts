import { inLanguage, type Question } from '@cairn/core/field-ops/form-definition.ts';

/** What a question is called for people: its label, else its name with its underscores as spaces. */
export function questionLabel(question: Question, language: string): string {
  return inLanguage(question.label, language) || question.name.replaceAll('_', ' ');
}
