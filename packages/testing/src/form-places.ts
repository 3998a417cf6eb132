import { formPath } from '@cairn/core/forms/definition/repeat-path.ts';
import type { FormState, QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { type FormValues, valueAt } from '@cairn/core/forms/answers/form-values.ts';

/** The state of one visible question or calculation by its path; undefined for what is hidden or not there. */
export const stateAt = ({ states }: Pick<FormState, 'states'>, path: string): QuestionState | undefined =>
  states.get(formPath(path))?.get(path);

/** Whether a place of a form is shown by its path. */
export const isShown = (form: FormValues, path: string): boolean => valueAt(form, path)?.visible ?? false;
