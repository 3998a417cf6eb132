import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { filled, type TextValues } from '@cairn/base/filled-text.ts';
import { formBoundProblems } from '../forms/definition/form-bounds.ts';
import { readFormShape } from '../forms/definition/form-definition.ts';
import { markdownFault } from '../markdown/markdown-bounds.ts';
import type { PackContents } from './pack-contents.ts';

/** `too_complex`: past a bound as it stands; `filled`: once its variables are filled in. */
export type PackBound = 'too_complex' | 'filled';

/** Characters of the longest value a variable can have (`isFitValue`). */
const MAX_VALUE_LENGTH = 200;

/** Characters of a text with its variables filled in; counted without filling it in. */
function filledLength(text: string, values: TextValues): number {
  return Object.entries(values).reduce((sum, [key, value]) => {
    const name = `{{${key}}}`;
    return sum + (text.split(name).length - 1) * (JSON.stringify(value).length - 2 - name.length);
  }, text.length);
}

const isForm = (definition: unknown): boolean => {
  const form = readFormShape(definition);
  // What this build cannot read is said elsewhere.
  return form === null || formBoundProblems(form).length === 0;
};

const filledForm = (definition: unknown, values: TextValues): unknown => {
  const inJson = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, JSON.stringify(value).slice(1, -1)]),
  );
  return JSON.parse(filled(JSON.stringify(definition), inJson));
};

/**
 * Why a pack is refused for what comes out of it with these values, or with the longest ones there can be; null where it can be taken
 * over. `marketplace.bounds_fault` of the database says the same.
 */
export function packBound({ policies, forms, ...rest }: PackContents, values?: TextValues): PackBound | null {
  const given = values ?? Object.fromEntries(rest.variables.map(({ key }) => [key, 'x'.repeat(MAX_VALUE_LENGTH)]));
  if (policies.some(({ body }) => markdownFault(body) !== null)) return 'too_complex';
  if (forms.some(({ definition }) => !isForm(definition))) return 'too_complex';
  if (filledLength(JSON.stringify({ policies, forms, ...rest }), given) > CONTENT_BOUNDS.pack_filled_characters)
    return 'filled';
  if (policies.some(({ body }) => markdownFault(filled(body, given)) !== null)) return 'filled';
  return forms.every(({ definition }) => isForm(filledForm(definition, given))) ? null : 'filled';
}
