/** Where a person works at present: an organisation, and within it a playbook or all of it. */
export type Space = { organizationId: string; playbookId: string | null };

export const spaceKey = ({ organizationId, playbookId }: Space): string => `${organizationId}/${playbookId ?? 'all'}`;

type SpaceRow = { organization_id: string; playbook_id: string | null; deleted_at: string | null };

/** Whether a row belongs to the space. A row of no playbook belongs to every playbook of its organisation. */
export function inSpace(row: SpaceRow, { organizationId, playbookId }: Space): boolean {
  if (row.deleted_at !== null || row.organization_id !== organizationId) return false;
  return playbookId === null || row.playbook_id === null || row.playbook_id === playbookId;
}
