import type { PackContents } from '@cairn/core/marketplace/pack-contents.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import type { ContentsSelection } from './contents-picker.tsx';
import type { SentFacts } from './pack-facts.ts';

type Version = { id: string; packId: string; number: string; changelog: string };

/** What was picked, as it stands now: of the organisation's own records, or of a file. */
export const contentsPicked = async (
  calls: ServerCalls,
  organizationId: string,
  picked: ContentsSelection,
): Promise<PackContents> =>
  picked.file ??
  (await calls.call<PackContents>('pack_contents_of', {
    p_organization: organizationId,
    p_policies: picked.policies,
    p_forms: picked.forms,
    p_tasks: [],
  }));

/**
 * Writes the version that is being made.
 *
 * @param seen the hash of the draft as it was last seen; refused where somebody wrote it anew since
 * @param facts what the pack is, where that goes with it
 * @returns the hash of what stands there now
 */
export const saveVersion = (
  calls: ServerCalls,
  version: Version,
  contents: PackContents,
  { seen = null, facts = null }: { seen?: string | null; facts?: SentFacts | null } = {},
): Promise<string> =>
  calls.call<string>('save_pack_version', {
    p_id: version.id,
    p_pack: version.packId,
    p_number: version.number,
    p_changelog: version.changelog,
    p_contents: contents,
    p_seen: seen,
    p_facts: facts,
  });
