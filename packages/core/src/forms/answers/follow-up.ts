import type { CompiledExpression } from '../expression/expression.ts';
import { toBoolean } from '../expression/expression-values.ts';
import type { FailActionRule, Question } from '../definition/form-definition.ts';
import type { Scope } from '../expression/expression-scope.ts';

/** What an answer asks for, from everything that applies to it. */
export type FollowUp = FailActionRule;

const PRIORITIES: readonly FailActionRule['priority'][] = ['low', 'medium', 'high', 'critical'];

/** What failing a critical question asks for, whatever its author wrote: an asset stays out of service until this is verified. */
const CRITICAL_FAILURE: FollowUp = { action: true, photo: 'optional', note: 'optional', priority: 'critical' };

/**
 * What the present answer to a question asks for: by failing, and by each of its rules that holds. Several are put
 * together: whatever one of them requires is required, the highest priority and the earliest day and hour count, the action item
 * has the first title, and it goes to whom the most urgent of them names. Failing a critical question makes a critical action item.
 *
 * @returns null when it asks for nothing
 */
export function followUpOf(
  { on_fail: onFail, rules = [], scoring }: Question,
  compiled: readonly CompiledExpression[],
  { failed, answered, scope }: { failed: boolean; answered: boolean; scope: () => Scope },
): FollowUp | null {
  const held = answered && rules.length > 0 ? rules.filter((_, index) => holds(compiled[index], scope())) : [];
  const failing = failed ? [...(onFail ? [onFail] : []), ...(scoring?.critical ? [CRITICAL_FAILURE] : [])] : [];
  const applying = [...failing, ...held];
  const [first, ...others] = applying;
  return first ? others.reduce<FollowUp>(together, first) : null;
}

const holds = (rule: CompiledExpression | undefined, scope: Scope): boolean =>
  rule !== undefined && toBoolean(rule.run(scope));

function together(a: FollowUp, b: FollowUp): FollowUp {
  const [more, less] = PRIORITIES.indexOf(a.priority) < PRIORITIES.indexOf(b.priority) ? [b, a] : [a, b];
  const assignee = more.assignee ?? less.assignee;
  const title = a.title ?? b.title;
  const days = earliest(a.due_in_days, b.due_in_days);
  const hours = earliest(a.due_in_hours, b.due_in_hours);
  return {
    action: a.action || b.action,
    photo: a.photo === 'required' ? a.photo : b.photo,
    note: a.note === 'required' ? a.note : b.note,
    priority: more.priority,
    ...(title !== undefined && { title }),
    ...(days !== undefined && { due_in_days: days }),
    ...(hours !== undefined && { due_in_hours: hours }),
    ...(assignee !== undefined && { assignee }),
  };
}

const earliest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
