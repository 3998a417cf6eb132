import { type FormItem, inLanguage, isGroup, parseFormDefinition } from './form-definition.ts';
import { formPath } from './repeat-path.ts';

/**
 * What the question of an answer is called for people, for where the form itself is not shown.
 *
 * @param definition of a form's version, as it is stored
 * @param path what `inspection_answers.question` holds
 * @returns its label, or its name where it has none; null where this form has no such question or cannot be read
 */
export function questionWords(definition: unknown, path: string, language: string): string | null {
  const parsed = parseFormDefinition(definition);
  if (!parsed.ok) return null;
  const names = formPath(path).split('.');
  let items: readonly FormItem[] = parsed.form.items;
  for (const [at, name] of names.entries()) {
    const item = items.find(each => each.name === name);
    if (!item) return null;
    if (at === names.length - 1) return inLanguage(item.label, language) || item.name.replaceAll('_', ' ');
    if (!isGroup(item)) return null;
    items = item.items;
  }
  return null;
}
