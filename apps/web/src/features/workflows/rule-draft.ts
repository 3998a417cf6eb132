import {
  suits,
  TRIGGERS,
  type Condition,
  type RuleFields,
  type Step,
  type StepKind,
  type Trigger,
} from '@cairn/core/workflows/rule.ts';

/** A rule as it begins: told to managers when a check fails. */
export const freshRule = (): RuleFields => ({
  title: '',
  trigger: 'inspection.item_failed',
  matching: 'all',
  conditions: [],
  steps: [freshStep('notify')],
});

/** A step of a kind, with what most would choose. */
export function freshStep(kind: StepKind): Step {
  if (kind === 'action') return { kind, to: 'role:manager', title: '{title}', priority: 'high', days: 1 };
  if (kind === 'task') return { kind, to: 'role:manager', title: '{title}', priority: 'high', days: 1 };
  if (kind === 'comment' || kind === 'label') return { kind, text: '' };
  return kind === 'notify' ? { kind, to: 'role:manager', text: '' } : { kind, to: 'role:manager' };
}

/** The rule set off by something else: what cannot be asked or done about that is left out. */
export function withTrigger(words: RuleFields, trigger: Trigger): RuleFields {
  const fields: readonly string[] = TRIGGERS[trigger].fields;
  const steps = words.steps.filter(({ kind }) => suits(kind, trigger));
  return {
    ...words,
    trigger,
    conditions: words.conditions.filter(({ field }) => fields.includes(field)),
    steps: steps.length > 0 ? steps : [freshStep('notify')],
  };
}

/** What the values of a field are; null where it is text of one's own. */
export const VALUES: Partial<Record<Condition['field'], readonly string[]>> = {
  severity: ['low', 'medium', 'high', 'critical'],
  critical: ['yes', 'no'],
  result: ['pass', 'fail'],
  category: ['hazard', 'injury', 'near_miss', 'damage', 'environment', 'security', 'quality', 'other'],
};

/** The priorities there are of what a trigger is about. */
export const prioritiesOf = (trigger: Trigger): readonly string[] =>
  TRIGGERS[trigger].about === 'tasks'
    ? ['none', 'low', 'medium', 'high', 'urgent']
    : ['low', 'medium', 'high', 'critical'];

/** A list with the part at `index` replaced, or left out. */
export const replaced = <Part>(parts: readonly Part[], index: number, by: Part | null): Part[] =>
  parts.flatMap((part, at) => (at === index ? (by === null ? [] : [by]) : [part]));

/** A list with the part at `index` one place nearer to its beginning. */
export function raised<Part>(parts: readonly Part[], index: number): Part[] {
  const part = parts[index];
  const before = parts[index - 1];
  if (part === undefined || before === undefined) return [...parts];
  return parts.map((each, at) => (at === index ? before : at === index - 1 ? part : each));
}
