import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { OTHERS_TABLES, othersAt } from '../spaces/others-at.ts';

type Inspection = Pick<Row<'inspections'>, 'id' | 'organization_id' | 'site_id' | 'conducted_by'>;

/**
 * Whether somebody else has to decide on an inspection: this person did it, and another one may review it there. The database
 * holds the same rule (`inspection.guard_own_review`); where nobody else may, whoever did it decides.
 */
export function mustLeaveDecision(inspection: Inspection, person: string): Query<boolean> {
  const { id, organization_id: organization, site_id: site, conducted_by: conductor } = inspection;
  return {
    key: `field/mustLeaveDecision/${id}/${organization}/${site ?? ''}/${conductor ?? ''}/${person}`,
    tables: ['inspection_events', ...OTHERS_TABLES],
    async read(tx) {
      if (conductor !== person && !(await finishedOnce(tx, id, person))) return false;
      const others = await othersAt(tx, inspection, { permission: 'inspection.review', without: [person] });
      return others.length > 0;
    },
  };
}

async function finishedOnce(tx: Tx, inspectionId: string, person: string): Promise<boolean> {
  const events = await tx.range('inspection_events', 'inspection', `${inspectionId}/`, `${inspectionId}/\uffff`);
  return events.some(({ kind, after, by_id: by }) => kind === 'state' && after === 'finalised' && by === person);
}
