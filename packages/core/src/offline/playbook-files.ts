import type { Row } from '@cairn/schema';
import type { LargeFile } from '@cairn/sync/files/held-files.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { filesToKeep } from './files-to-keep.ts';

/** Photos and files of one playbook, or of what belongs to none (`isRest`) in an organisation; sizes in bytes. */
export type PlaybookFiles = { id: string; name: string; isRest: boolean; files: LargeFile[]; bytes: number };

type PlaybookRef = Pick<PlaybookFiles, 'id' | 'name' | 'isRest'>;

/** Null where this device knows neither playbook nor organisation. */
async function placeOf(
  tx: Tx,
  media: Row<'media'>,
  inspections: ReadonlyMap<string, string | null>,
): Promise<PlaybookRef | null> {
  const playbookId = media.inspection_id === null ? null : (inspections.get(media.inspection_id) ?? null);
  const playbook = playbookId === null ? undefined : await tx.get('playbooks', playbookId);
  if (playbook) return { id: playbook.id, name: playbook.name, isRest: false };
  const organization = await tx.get('organizations', media.organization_id);
  return organization ? { id: organization.id, name: organization.name, isRest: true } : null;
}

/**
 * What can be made available offline beside the records, which are there anyhow: the files the server has, by the playbook of
 * their inspection. Maps and the files of policies in force are kept by themselves.
 */
export const playbookFiles: Query<PlaybookFiles[]> = {
  key: 'media/playbook-files',
  tables: ['media', 'inspections', 'playbooks', 'organizations', ...filesToKeep.tables],
  async read(tx) {
    const elsewhere = await filesToKeep.read(tx);
    const inspections = new Map((await tx.all('inspections')).map(row => [row.id, row.playbook_id]));
    const found = new Map<string, PlaybookFiles>();
    for (const row of await tx.all('media')) {
      if (row.deleted_at !== null || row.state !== 'complete' || elsewhere.has(row.id)) continue;
      const place = await placeOf(tx, row, inspections);
      if (!place) continue;
      const group = found.get(place.id) ?? { ...place, files: [], bytes: 0 };
      group.files.push({ id: row.id, organizationId: row.organization_id, size: row.bytes });
      found.set(place.id, { ...group, bytes: group.bytes + row.bytes });
    }
    return [...found.values()].toSorted((a, b) => Number(a.isRest) - Number(b.isRest) || a.name.localeCompare(b.name));
  },
};
