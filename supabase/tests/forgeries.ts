import type { Edit } from './device.ts';
import type { World } from './world.ts';

/** What somebody of another organisation might try to write. */
export const forgeries = (world: World): Edit[] => {
  const place = { organization_id: world.organization, site_id: world.north };
  const update = (t: Edit['t'], id: string, patch: object): Edit => ({
    t,
    id,
    op: 'update',
    patch: { ...patch },
    bv: 1,
  });
  return [
    update('action_items', world.action, { title: 'Taken over' }),
    update('organizations', world.organization, { name: 'Mine now' }),
    update('playbooks', world.playbook, { name: 'Mine now' }),
    { t: 'inspections', id: world.inspection, op: 'delete', bv: 1 },
    { t: 'action_items', op: 'insert', patch: { ...place, title: 'Smuggled in' } },
    { t: 'sites', op: 'insert', patch: { organization_id: world.organization, name: 'Annex' } },
    {
      t: 'media',
      op: 'insert',
      patch: { ...place, kind: 'photo', mime: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64) },
    },
  ];
};
