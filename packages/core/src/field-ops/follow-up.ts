import type { Compiled } from './expression.ts';
import { toBoolean } from './expression-values.ts';
import type { OnFail, Question } from './form-definition.ts';
import type { Scope } from './expression-scope.ts';

/** What an answer asks for, from everything that applies to it. */
export type FollowUp = OnFail;

const PRIORITIES: readonly OnFail['priority'][] = ['low', 'medium', 'high', 'critical'];

/**
 * What the present answer to a question asks for: by failing, and by each of its rules that holds. Several are put
 * together: whatever one of them requires is required, the highest priority and the earliest day count, and the action item
 * has the first title.
 *
 * @returns null when it asks for nothing
 */
export function followUpOf(
  { on_fail: onFail, rules = [] }: Question,
  compiled: readonly Compiled[],
  { failed, answered, scope }: { failed: boolean; answered: boolean; scope: () => Scope },
): FollowUp | null {
  const held = answered && rules.length > 0 ? rules.filter((_, index) => holds(compiled[index], scope())) : [];
  const applying = [...(failed && onFail ? [onFail] : []), ...held];
  const [first, ...others] = applying;
  return first ? others.reduce<FollowUp>(together, first) : null;
}

const holds = (rule: Compiled | undefined, scope: Scope): boolean => rule !== undefined && toBoolean(rule.run(scope));

function together(a: FollowUp, b: FollowUp): FollowUp {
  const due = [a.due_in_days, b.due_in_days].filter(days => days !== undefined);
  const title = a.title ?? b.title;
  return {
    action: a.action || b.action,
    photo: a.photo === 'required' ? a.photo : b.photo,
    note: a.note === 'required' ? a.note : b.note,
    priority: PRIORITIES.indexOf(a.priority) < PRIORITIES.indexOf(b.priority) ? b.priority : a.priority,
    ...(title !== undefined && { title }),
    ...(due.length > 0 && { due_in_days: Math.min(...due) }),
  };
}
