import type { Json, Row } from '@cairn/schema';

export type WorkflowRule = Row<'workflow_rules'>;

/** What can set a rule off, each with the table it is about and what its facts can be asked for. `workflow.subject_of` says the same. */
export const TRIGGERS = {
  'inspection.item_failed': {
    about: 'inspections',
    fields: ['critical', 'priority', 'form', 'site', 'asset', 'title'],
  },
  'inspection.finalised': { about: 'inspections', fields: ['result', 'form', 'site', 'asset', 'title'] },
  'issue.reported': { about: 'issue_reports', fields: ['severity', 'category', 'site', 'asset', 'title'] },
  'action.created': { about: 'action_items', fields: ['priority', 'site', 'asset', 'title'] },
  'action.overdue': { about: 'action_items', fields: ['priority', 'site', 'asset', 'title'] },
  'action.done': { about: 'action_items', fields: ['priority', 'site', 'asset', 'title'] },
  'task.created': { about: 'tasks', fields: ['priority', 'label', 'site', 'title'] },
  'task.overdue': { about: 'tasks', fields: ['priority', 'label', 'site', 'title'] },
  'task.done': { about: 'tasks', fields: ['priority', 'label', 'site', 'title'] },
  'policy.published': { about: 'policies', fields: ['title'] },
  'acknowledgement.overdue': { about: 'policies', fields: ['title'] },
  'evidence.expiring': { about: 'evidence', fields: ['title'] },
} as const satisfies Record<string, { about: string; fields: readonly Field[] }>;
export type Trigger = keyof typeof TRIGGERS;
export const TRIGGER_LIST = Object.keys(TRIGGERS) as Trigger[];

/** What a condition can ask, and how. `workflow.fits` says the same. */
export const FIELDS = {
  priority: ['at_least', 'is', 'is_not'],
  severity: ['at_least', 'is', 'is_not'],
  critical: ['is'],
  result: ['is'],
  category: ['is', 'is_not'],
  site: ['is', 'is_not'],
  asset: ['is', 'is_not'],
  form: ['is', 'is_not'],
  label: ['has', 'has_not'],
  title: ['contains'],
} as const satisfies Record<string, readonly string[]>;
export type Field = keyof typeof FIELDS;
export type Op = (typeof FIELDS)[Field][number];

/** `value`: an id, one of a field's words, or text. */
export type Condition = { field: Field; op: Op; value: string };

/** What a rule can do. */
export const STEP_KINDS = ['action', 'task', 'approval', 'notify', 'assign', 'comment', 'label'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Who is meant: whoever has it, everybody of a role who may see it, or one person. */
export type Target = 'responsible' | `role:${'admin' | 'manager' | 'member' | 'auditor'}` | `person:${string}`;

export const ACTION_PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
export const TASK_PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;

export type Step = {
  kind: StepKind;
  to?: Target;
  /** Of what is made; `{title}` stands for the title of what happened. */
  title?: string;
  /** What is said, or the label. */
  text?: string;
  priority?: string;
  /** Whole days until it is due. */
  days?: number;
};

/** What a person says of a rule; what of it decides is `trigger`, `matching`, `conditions` and `steps`. */
export type RuleFields = {
  title: string;
  trigger: Trigger;
  matching: WorkflowRule['matching'];
  conditions: Condition[];
  steps: Step[];
};

export const MAX_CONDITIONS = 10;
export const MAX_STEPS = 6;
/** Rules an organisation may have. */
export const MAX_RULES = 50;

const TARGET =
  /^(?:responsible|role:(?:admin|manager|member|auditor)|person:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const MAX_LENGTHS: Record<'title' | 'notify' | 'comment' | 'label' | 'value', number> = {
  title: 200,
  notify: 500,
  comment: 2e3,
  label: 50,
  value: 200,
};

/** Whether a way of asking goes with a field; unknown ones do not. */
export const fits = (field: unknown, op: unknown): boolean =>
  typeof field === 'string' &&
  Object.hasOwn(FIELDS, field) &&
  (FIELDS[field as Field] as readonly unknown[]).includes(op);

/** Whether a step of this kind can be about what the trigger is about. */
export function suits(kind: StepKind, trigger: Trigger): boolean {
  const { about } = TRIGGERS[trigger];
  if (kind === 'assign') return about === 'action_items' || about === 'tasks';
  if (kind === 'label') return about === 'tasks';
  if (kind === 'comment') return about !== 'policies' && about !== 'evidence';
  return true;
}

export type RuleFault = 'trigger' | 'title' | 'condition' | 'step';

const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && /[^ ]/.test(value) && Array.from(value).length <= most;
const isDays = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 365;

/** Whether one step is whole; what a kind does not need is not looked at. */
export function isStep(step: Step, trigger: Trigger): boolean {
  const isTo = step.to !== undefined && TARGET.test(step.to);
  const priorities: readonly string[] = step.kind === 'action' ? ACTION_PRIORITIES : TASK_PRIORITIES;
  if (!STEP_KINDS.includes(step.kind) || !suits(step.kind, trigger)) return false;
  switch (step.kind) {
    case 'action':
    case 'task':
      return (
        isText(step.title, MAX_LENGTHS.title) && isTo && priorities.includes(step.priority ?? '') && isDays(step.days)
      );
    case 'assign':
    case 'approval':
      return isTo;
    case 'notify':
      return isTo && isText(step.text, MAX_LENGTHS.notify);
    case 'comment':
    case 'label':
      return isText(step.text, MAX_LENGTHS[step.kind]);
    default:
      return false;
  }
}

/** What is wrong with a rule, and at which of its parts; null where nothing is. `workflow.rule_fault` says the same. */
export function faultOf(words: RuleFields): { fault: RuleFault; index: number } | null {
  if (!Object.hasOwn(TRIGGERS, words.trigger)) return { fault: 'trigger', index: 0 };
  if (!isText(words.title, MAX_LENGTHS.title)) return { fault: 'title', index: 0 };
  const bad = words.conditions.findIndex(
    ({ field, op, value }) => !fits(field, op) || !isText(value, MAX_LENGTHS.value),
  );
  if (bad >= 0 || words.conditions.length > MAX_CONDITIONS) return { fault: 'condition', index: bad };
  const broken = words.steps.findIndex(step => !isStep(step, words.trigger));
  if (broken >= 0 || words.steps.length === 0 || words.steps.length > MAX_STEPS)
    return { fault: 'step', index: broken };
  return null;
}

const listOf = (json: Json): Json[] =>
  Array.isArray(json) ? json.filter(each => each !== null && typeof each === 'object' && !Array.isArray(each)) : [];

const isTrigger = (word: string): word is Trigger => Object.hasOwn(TRIGGERS, word);

/** A stored rule as it can be shown and changed; null where a later version wrote what this one does not know. */
export function wordsOf(rule: WorkflowRule): RuleFields | null {
  if (!isTrigger(rule.trigger)) return null;
  const conditions = listOf(rule.conditions) as unknown as Condition[];
  const steps = listOf(rule.steps) as unknown as Step[];
  const words = { title: rule.title, trigger: rule.trigger, matching: rule.matching, conditions, steps };
  return faultOf(words) === null ? words : null;
}
