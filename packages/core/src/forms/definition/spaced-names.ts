import type { Choice } from './form-definition.ts';

/** Whether a name of a choice cannot stand in an answer of several choices (`takesSeveral`). */
export const isSpaced = ({ name }: Pick<Choice, 'name'>): boolean => /\s/.test(name);

/** What importers say of such a name. */
export const spacedSentence = (name: string): string =>
  `"${name}" has a space, which keeps the names of several choices apart: write ${name.trim().replaceAll(/\s+/g, '_')}`;
