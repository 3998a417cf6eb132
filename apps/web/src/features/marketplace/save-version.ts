import type { ServerCalls } from '../../shared/server-calls.ts';
import type { Picked } from './contents-picker.tsx';

type Version = { id: string; packId: string; organizationId: string; number: string; changelog: string };

/** Writes the version that is being made, of what was picked as it stands now. */
export async function saveVersion(calls: ServerCalls, version: Version, picked: Picked): Promise<void> {
  const contents =
    picked.file ??
    (await calls.call('pack_contents_of', {
      p_organization: version.organizationId,
      p_policies: picked.policies,
      p_forms: picked.forms,
      p_tasks: [],
    }));
  await calls.call('save_pack_version', {
    p_id: version.id,
    p_pack: version.packId,
    p_number: version.number,
    p_changelog: version.changelog,
    p_contents: contents,
  });
}
