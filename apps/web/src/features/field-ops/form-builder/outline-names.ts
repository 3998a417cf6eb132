import type { Question } from '@cairn/core/forms/definition/form-definition.ts';
import { type Outline, walkOutline } from '@cairn/core/forms/draft/form-outline.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { questionLabel } from '../answers/question-label.ts';

export type NamedQuestion = { name: string; label: string; question: Question };

/** Every question of a form that can be named in a formula, in order. */
export function questionsIn({ nodes, head }: Outline): NamedQuestion[] {
  const language = head.languages[0] ?? '';
  return [...walkOutline(nodes)].flatMap(({ node }) =>
    node.kind === 'question' && node.question.type !== 'note'
      ? [{ name: node.question.name, label: questionLabel(node.question, language), question: node.question }]
      : [],
  );
}

/** The choices of a question's list, for a control that offers them. */
export function choicesOf({ head }: Outline, question: Question): { value: string; label: string }[] {
  const language = head.languages[0] ?? '';
  return (head.choice_lists[question.list ?? ''] ?? []).map(({ name, label }) => ({
    value: name,
    label: inLanguage(label, language) || name,
  }));
}
