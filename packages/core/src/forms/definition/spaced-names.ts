import type { Choice, Question } from './form-definition.ts';

/**
 * Questions of which several choices are one answer. Expressions see it as their names with spaces between, so a name that
 * holds one would be read as two.
 */
export const takesSeveral = ({ type }: Pick<Question, 'type'>): boolean =>
  type === 'select_multiple' || type === 'rank';

/** Whether a name of a choice cannot stand in such an answer. */
export const isSpaced = ({ name }: Pick<Choice, 'name'>): boolean => /\s/.test(name);

/** What importers say of such a name. */
export const spacedSentence = (name: string): string =>
  `"${name}" has a space, which keeps the names of several choices apart: write ${name.trim().replaceAll(/\s+/g, '_')}`;
