/** Roles whose holders work on action items. */
export const ASSIGNEE_ROLES = ['member', 'manager', 'admin'] as const;

/** Who gets what an answer asks for: one person, somebody of a role at the place, or the manager of whoever inspected. */
export type RuleAssignee = `person:${string}` | `role:${(typeof ASSIGNEE_ROLES)[number]}` | 'conductors_manager';

const ASSIGNEE =
  /^(?:person:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|role:(?:member|manager|admin)|conductors_manager)$/;

/** Whether a value names whom an action item goes to. `action.rule_assignee` reads the same words. */
export const isRuleAssignee = (value: unknown): value is RuleAssignee =>
  typeof value === 'string' && ASSIGNEE.test(value);
