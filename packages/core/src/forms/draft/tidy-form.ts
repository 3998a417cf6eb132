import { type FormDefinition, type FormItem, isGroup, type Question } from '../definition/form-definition.ts';
import type { Words } from '../definition/words.ts';

/**
 * A form as it is published: without blanks at the ends of texts, texts that say nothing, and lists nobody chooses from. What is
 * asked and how it counts stays the same.
 */
export function tidyForm(form: FormDefinition): FormDefinition {
  const items = form.items.map(tidyItem);
  const spoken = JSON.stringify(items);
  const used = (name: string): boolean =>
    spoken.includes(JSON.stringify(name)) || spoken.includes(`'${name}'`) || spoken.includes(`\\"${name}\\"`);
  const lists = Object.entries(form.choice_lists)
    .filter(([name]) => used(name))
    .map(([name, choices]) => [name, choices.map(choice => without({ ...choice, label: tidyTexts(choice.label) }))]);
  return { ...form, title: tidyTexts(form.title) ?? '', choice_lists: Object.fromEntries(lists), items };
}

/** Without the fields that hold nothing. */
const without = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

function tidyItem(item: FormItem): FormItem {
  if (isGroup(item)) {
    const head = { label: tidyTexts(item.label), relevant: tidyText(item.relevant), count: tidyText(item.count) };
    return without({ ...item, ...head, items: item.items.map(tidyItem) });
  }
  return without({ ...item, ...tidyQuestion(item) });
}

function tidyQuestion(question: Question): Partial<Question> {
  const { required, scoring, on_fail: onFail, rules } = question;
  return {
    label: tidyTexts(question.label),
    hint: tidyTexts(question.hint),
    required: typeof required === 'string' ? tidyText(required) : required || undefined,
    required_message: tidyTexts(question.required_message),
    relevant: tidyText(question.relevant),
    constraint: tidyText(question.constraint),
    constraint_message: tidyTexts(question.constraint_message),
    calculation: tidyText(question.calculation),
    trigger: tidyText(question.trigger),
    default: typeof question.default === 'string' ? tidyText(question.default) : question.default,
    default_expression: tidyText(question.default_expression),
    choice_filter: tidyText(question.choice_filter),
    scoring: scoring && without({ ...scoring, fail_when: tidyText(scoring.fail_when) }),
    on_fail: onFail && without({ ...onFail, title: tidyTexts(onFail.title) }),
    rules:
      rules && rules.length > 0 ? rules.map(rule => without({ ...rule, title: tidyTexts(rule.title) })) : undefined,
    or_other: question.or_other || undefined,
    read_only: question.read_only || undefined,
  };
}

const tidyText = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** Texts without blanks at their ends; undefined where no language says anything. */
function tidyTexts(words: Words | undefined): Words | undefined {
  if (words === undefined || typeof words === 'string') return tidyText(words);
  const entries = Object.entries(words).flatMap(([language, text]) => {
    const tidy = tidyText(text);
    return tidy === undefined ? [] : [[language, tidy]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
