import type { Query } from '@cairn/sync/store.ts';
import { policyFileOf, type PolicyFile } from '../policies/policy-file.ts';

export type FileInForce = PolicyFile & { organizationId: string };

/** Files of the policies in force, of every organisation on this device: they open without signal. */
export const filesInForce: Query<FileInForce[]> = {
  key: 'media/files-in-force',
  tables: ['policies', 'policy_versions'],
  async read(tx) {
    const found: FileInForce[] = [];
    for (const policy of await tx.all('policies')) {
      if (policy.deleted_at !== null || policy.state !== 'published' || policy.current_version_id === null) continue;
      const version = await tx.get('policy_versions', policy.current_version_id);
      const file = version && policyFileOf(version);
      if (file) found.push({ ...file, organizationId: policy.organization_id });
    }
    return found;
  },
};

/** Files that stay on a device for as long as it knows what they belong to: maps of sites, and policies in force. */
export const filesToKeep: Query<ReadonlySet<string>> = {
  key: 'media/files-to-keep',
  tables: [...filesInForce.tables, 'site_maps'],
  async read(tx) {
    const maps = (await tx.all('site_maps')).filter(row => row.deleted_at === null);
    return new Set([...maps.map(row => row.media_id), ...(await filesInForce.read(tx)).map(({ id }) => id)]);
  },
};
