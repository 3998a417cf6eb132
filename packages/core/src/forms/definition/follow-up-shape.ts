import { z } from '../../shapes.ts';
import { isRuleAssignee, type RuleAssignee } from './rule-assignee.ts';
import { expression, words } from './shape-texts.ts';

/** The longest an action item of a rule may take. */
export const MAX_DUE_DAYS = 3650;
export const MAX_DUE_HOURS = 720;

const asked = {
  /** The action's title; the question's label where it is left out. */
  title: words.optional(),
  photo: z.enum(['required', 'optional']).default('optional'),
  note: z.enum(['required', 'optional']).default('optional'),
  priority: z.enum(['low', 'medium', 'high', 'critical']).default('medium'),
  /** Whole days after the inspection was finished: by the end of that day. */
  due_in_days: z.int().nonnegative().max(MAX_DUE_DAYS).optional(),
  /** Whole hours after it was finished; where both are given, the earlier counts. */
  due_in_hours: z.int().positive().max(MAX_DUE_HOURS).optional(),
  /** Who gets the action item; nobody where left out. */
  assignee: z.custom<RuleAssignee>(isRuleAssignee, 'is no person, role or manager').optional(),
};

export const onFail = z.strictObject({
  /** An action item is made when the inspection is finished. */
  action: z.boolean().default(true),
  ...asked,
});

/** What an answer asks for that is no failure, e.g. a photo of whatever is "worn". */
export const rule = z.strictObject({
  /** True for the answers it holds for; `.` is the answer. Never looked at without an answer. */
  when: expression,
  action: z.boolean().default(false),
  ...asked,
});
