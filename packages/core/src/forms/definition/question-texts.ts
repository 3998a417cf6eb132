import { type FormDefinition, type FormItem, inLanguage, isGroup, parseFormDefinition } from './form-definition.ts';
import { formPath } from './repeat-path.ts';

type FoundItem = { form: FormDefinition; item: FormItem };

/**
 * The question of an answer, for where the form itself is not shown.
 *
 * @param definition of a form's version, as it is stored
 * @param path what `inspection_answers.question` holds
 * @returns it with its form; null where this form has no such question or cannot be read
 */
export function questionAt(definition: unknown, path: string): FoundItem | null {
  const parsed = parseFormDefinition(definition);
  if (!parsed.ok) return null;
  const names = formPath(path).split('.');
  let items: readonly FormItem[] = parsed.form.items;
  for (const [at, name] of names.entries()) {
    const item = items.find(each => each.name === name);
    if (!item) return null;
    if (at === names.length - 1) return { form: parsed.form, item };
    if (!isGroup(item)) return null;
    items = item.items;
  }
  return null;
}

/** What a question is called for people: its label, or its name where it has none. */
export const itemTexts = (item: FormItem, language: string): string =>
  inLanguage(item.label, language) || item.name.replaceAll('_', ' ');

/**
 * What the question of an answer is called for people, for where the form itself is not shown.
 *
 * @param definition of a form's version, as it is stored
 * @param path what `inspection_answers.question` holds
 * @returns its label, or its name where it has none; null where this form has no such question or cannot be read
 */
export function questionTexts(definition: unknown, path: string, language: string): string | null {
  const found = questionAt(definition, path);
  return found && itemTexts(found.item, language);
}
