import type { Choice, Question } from '../definition/form-definition.ts';
import type { Outline, OutlineNode } from './form-outline.ts';
import type { Words } from '../definition/words.ts';

/**
 * A form in other languages. Texts of a language that goes are gone; where none is left, the first language's texts stay as
 * the only ones. A text from before there were languages is the first language's.
 */
export function withLanguages(outline: Outline, languages: readonly string[]): Outline {
  const [before = ''] = outline.head.languages;
  const words = (text: Words | undefined) => inThese(text, languages, before);
  const lists = Object.entries(outline.head.choice_lists).map(([name, choices]): [string, Choice[]] => [
    name,
    choices.map(choice => ({ ...choice, label: words(choice.label) })),
  ]);
  const title = words(outline.head.title) ?? '';
  return {
    ...outline,
    head: { ...outline.head, title, languages: [...languages], choice_lists: Object.fromEntries(lists) },
    nodes: outline.nodes.map(node => spoken(node, words)),
  };
}

type Change = (words: Words | undefined) => Words | undefined;

function spoken(node: OutlineNode, words: Change): OutlineNode {
  if (node.kind === 'question') return { ...node, question: spokenQuestion(node.question, words) };
  const section = { ...node.section, label: words(node.section.label) };
  return { ...node, section, children: node.children.map(child => spoken(child, words)) };
}

function spokenQuestion(question: Question, words: Change): Question {
  return {
    ...question,
    label: words(question.label),
    hint: words(question.hint),
    required_message: words(question.required_message),
    constraint_message: words(question.constraint_message),
    ...(question.on_fail && { on_fail: { ...question.on_fail, title: words(question.on_fail.title) } }),
    ...(question.rules && { rules: question.rules.map(rule => ({ ...rule, title: words(rule.title) })) }),
  };
}

function inThese(words: Words | undefined, languages: readonly string[], first: string): Words | undefined {
  if (words === undefined) return undefined;
  const texts = typeof words === 'string' ? { [first || (languages[0] ?? '')]: words } : words;
  if (languages.length === 0) return texts[first] ?? Object.values(texts)[0];
  const kept = Object.entries(texts).filter(([language]) => languages.includes(language));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
