import type { Condition, Step, Target, Trigger } from './rule.ts';

type Template = {
  trigger: Trigger;
  conditions: readonly Condition[];
  /** What they say is the app's, in its language: `title` and `text` stand there under the key and the place of the step. */
  steps: readonly Step[];
};

const MANAGERS: Target = 'role:manager';

/** Ready rules to begin with; none needs more than a company has from its first day, but for the approval. */
export const TEMPLATES = {
  criticalItem: {
    trigger: 'inspection.item_failed',
    conditions: [{ field: 'critical', op: 'is', value: 'yes' }],
    steps: [
      { kind: 'action', to: MANAGERS, priority: 'critical', days: 1 },
      { kind: 'approval', to: MANAGERS },
    ],
  },
  lateAction: {
    trigger: 'action.overdue',
    conditions: [{ field: 'priority', op: 'at_least', value: 'high' }],
    steps: [{ kind: 'notify', to: MANAGERS }],
  },
  seriousReport: {
    trigger: 'issue.reported',
    conditions: [{ field: 'severity', op: 'at_least', value: 'high' }],
    steps: [
      { kind: 'task', to: MANAGERS, priority: 'urgent', days: 1 },
      { kind: 'notify', to: MANAGERS },
    ],
  },
} as const satisfies Record<string, Template>;
export type TemplateKey = keyof typeof TEMPLATES;
export const TEMPLATE_LIST = Object.keys(TEMPLATES) as TemplateKey[];
export const isTemplate = (word: string | undefined): word is TemplateKey =>
  word !== undefined && Object.hasOwn(TEMPLATES, word);
