// What the database's workflow.holds, workflow.matches and workflow.creates_records should say, in TypeScript: tests hold them to it.
import { fits, type Condition, type Step, type WorkflowRule } from '@cairn/core/workflows/rule.ts';

/** What is known of something that happened, as it was then. Ids and words; `labels` are those of a task. */
export type Facts = { [name: string]: string | readonly string[] | boolean | null | undefined };

const RANKS: Readonly<Record<string, number>> = { none: 0, low: 1, medium: 2, high: 3, urgent: 4, critical: 4 };
const rankOf = (word: unknown): number =>
  typeof word === 'string' && Object.hasOwn(RANKS, word) ? (RANKS[word] ?? Number.NaN) : Number.NaN;

/** Whether a condition holds. What is not known is not, has not and contains nothing; a way of asking that fits no field never holds. */
export function holds({ field, op, value }: Condition, facts: Facts): boolean {
  if (!fits(field, op)) return false;
  const fact = Object.hasOwn(facts, field) ? facts[field] : null;
  const labels = Object.hasOwn(facts, 'labels') && Array.isArray(facts['labels']) ? facts['labels'] : [];
  switch (op) {
    case 'is':
      return fact === value;
    case 'is_not':
      return fact !== value;
    case 'at_least':
      return rankOf(fact) >= rankOf(value);
    case 'contains':
      return typeof fact === 'string' && fact.includes(value);
    case 'has':
      return labels.includes(value);
    case 'has_not':
      return !labels.includes(value);
    default:
      return false;
  }
}

/** Of each condition, whether it holds. */
export const checksOf = (conditions: readonly Condition[], facts: Facts): boolean[] =>
  conditions.map(condition => holds(condition, facts));

/** Whether a rule is set off: by all of its conditions or any of them; without one, by everything. */
export const matches = (matching: WorkflowRule['matching'], checks: readonly boolean[]): boolean =>
  checks.length === 0 || (matching === 'any' ? checks.includes(true) : !checks.includes(false));

/** Whether a rule makes a record of its own, or asks somebody: what a rule made sets off none of these. */
export const makes = (steps: readonly Step[]): boolean =>
  steps.some(({ kind }) => kind === 'action' || kind === 'task' || kind === 'approval');
