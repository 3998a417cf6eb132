/** What is chosen on a device, with the playbooks of the organisation as far as they are read. */
export type Selection<P extends { id: string } = { id: string }> = {
  organizationId: string | null;
  playbookId: string | null;
  playbooks: readonly P[];
};

/**
 * Chooses an organisation: the playbook and the list of the one before are cleared, for the new ones to be read.
 * An unknown id, or the one that is chosen already, changes nothing: the same object comes back.
 */
export function selectOrganization<P extends { id: string }>(
  selection: Selection<P>,
  organizations: readonly { id: string }[],
  id: string,
): Selection<P> {
  if (id === selection.organizationId || !organizations.some(one => one.id === id)) return selection;
  return { organizationId: id, playbookId: null, playbooks: [] };
}

/** Chooses a playbook of the list. An unknown id changes nothing: the same object comes back. */
export function selectPlaybook<P extends { id: string }>(selection: Selection<P>, id: string): Selection<P> {
  return selection.playbooks.some(one => one.id === id) ? { ...selection, playbookId: id } : selection;
}
