import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

type Inspection = Pick<Row<'inspections'>, 'id' | 'organization_id' | 'site_id' | 'conducted_by'>;

/**
 * Whether somebody else has to decide on an inspection: this person did it, and another one may review it there. The database
 * holds the same rule (`sync.guard_own_review`); where nobody else may, whoever did it decides.
 */
export function mustLeaveDecision(inspection: Inspection, person: string): Query<boolean> {
  const { id, organization_id: organization, site_id: site, conducted_by: conductor } = inspection;
  return {
    key: `field/mustLeaveDecision/${id}/${organization}/${site ?? ''}/${conductor ?? ''}/${person}`,
    tables: ['inspection_events', 'organization_members', 'role_permissions', 'site_members'],
    async read(tx) {
      if (conductor !== person && !(await finishedOnce(tx, id, person))) return false;
      const members = (await tx.all('organization_members')).filter(
        row => row.organization_id === organization && row.deleted_at === null && row.user_id !== person,
      );
      const reviewing = await rolesWith(tx, 'inspection.review');
      const everywhere = await rolesWith(tx, 'place.all');
      const here = new Set(site === null ? [] : await peopleAt(tx, site));
      return members.some(
        ({ role, user_id: user }) => reviewing.has(role) && (site === null || everywhere.has(role) || here.has(user)),
      );
    },
  };
}

async function finishedOnce(tx: Tx, inspectionId: string, person: string): Promise<boolean> {
  const events = await tx.range('inspection_events', 'inspection', `${inspectionId}/`, `${inspectionId}/\uffff`);
  return events.some(({ kind, after, by_id: by }) => kind === 'state' && after === 'finalised' && by === person);
}

async function rolesWith(tx: Tx, permission: string): Promise<ReadonlySet<string>> {
  const rows = await tx.all('role_permissions');
  const given = rows.filter(
    row => row.role_kind === 'organization' && row.permission === permission && row.deleted_at === null,
  );
  return new Set(given.map(({ role }) => role));
}

async function peopleAt(tx: Tx, site: string): Promise<string[]> {
  const rows = await tx.all('site_members');
  return rows.filter(row => row.site_id === site && row.deleted_at === null).map(({ user_id: user }) => user);
}
