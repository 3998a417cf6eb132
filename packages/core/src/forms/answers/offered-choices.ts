import type { CompiledQuestion } from '../definition/compiled-form.ts';
import { EvaluationBudget } from '../expression/evaluation-budget.ts';
import { seenWith } from '../expression/expression-scope.ts';
import { toBoolean } from '../expression/expression-values.ts';
import type { Choice } from '../definition/form-definition.ts';
import type { ItemInstance } from '../definition/form-places.ts';
import { type FormValues, valueAt } from './form-values.ts';
import { attributeOf, scopeAt } from './place-scope.ts';

/**
 * The choices a question offers at a place: its list, narrowed by its choice filter.
 *
 * @param budget what it may cost; one of its own where the form is worked out already
 */
export function offeredChoices(
  item: CompiledQuestion,
  place: ItemInstance,
  form: FormValues,
  budget = new EvaluationBudget(),
): readonly Choice[] {
  const filter = item.expressions.choice_filter;
  if (!filter) return item.choices;
  const own = scopeAt({ ...form, budget }, place, valueAt(form, place.path)?.value ?? '');
  return item.choices.filter(choice => {
    const attribute = (name: string): string => attributeOf(choice, name);
    // "Other" belongs to no column of the list and is always offered.
    return (item.question.or_other && choice.name === 'other') || toBoolean(filter.run(seenWith(own, { attribute })));
  });
}
