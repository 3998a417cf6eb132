import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { OTHERS_TABLES, othersAt } from '../spaces/others-at.ts';

type Item = Pick<Row<'action_items'>, 'id' | 'organization_id' | 'site_id' | 'done_by' | 'assignee_id'>;

/**
 * Whether somebody else has to check an action item: this person did it or has it, and another one could check it there. The
 * database holds the same rule (`action.another_verifies`); where nobody else can, whoever did it closes it.
 */
export const mustLeaveCheck = (item: Item, person: string): Query<boolean> => mustLeaveEnd(item, person, true);

/**
 * Whether somebody else has to say that an action item is a duplicate or not valid: this person did it or has it, or does not hold
 * `action.manage` (`manages`), and another one could look at it there. The database holds the same rule
 * (`action.guard_action_life`), and knows besides who once had it.
 */
export function mustLeaveEnd(item: Item, person: string, manages: boolean): Query<boolean> {
  const { id, organization_id: organization, site_id: site, done_by: doer, assignee_id: assignee } = item;
  return {
    key: `action-items/mustLeaveEnd/${id}/${organization}/${site ?? ''}/${doer ?? ''}/${assignee ?? ''}/${person}/${manages}`,
    tables: OTHERS_TABLES,
    async read(tx) {
      if (manages && person !== doer && person !== assignee) return false;
      const without = [person, doer, assignee];
      return (await othersAt(tx, item, { permission: 'action.work', without })).length > 0;
    },
  };
}
