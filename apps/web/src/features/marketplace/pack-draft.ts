import { readContents, type PackContents, type PackFault } from '@cairn/core/marketplace/pack-contents.ts';
import { packBound, type PackBound } from '@cairn/core/marketplace/pack-bounds.ts';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { withVariableTexts } from '@cairn/core/marketplace/pack-writing.ts';
import { factsOf, type Facts } from './pack-facts.ts';

/** What is typed of a pack and of the version that is being made. */
export type PackDraft = { facts: Facts; number: string; changelog: string; contents: PackContents };

/** A draft as the server has it; `draft` is null where its contents cannot be read. */
export type ServerDraft = { versionId: string; hash: string; number: string; draft: PackDraft | null };

export function serverDraft(pack: Pack, version: PackVersion): ServerDraft {
  const read = readContents(version.contents);
  const { id: versionId, number, changelog, draft_hash: hash } = version;
  const draft = read.ok ? { facts: factsOf(pack), number, changelog, contents: read.contents } : null;
  return { versionId, hash, number, draft };
}

/** Why a draft cannot be saved as it is typed. */
export type DraftFault = PackFault | PackBound | 'number' | 'name';

export function faultOf({ facts, number, contents }: PackDraft): DraftFault | null {
  if (facts.name.trim() === '') return 'name';
  if (!/^\d{1,5}(\.\d{1,5}){2}$/.test(number)) return 'number';
  const read = readContents(withVariableTexts(contents));
  return read.ok ? packBound(read.contents) : read.fault;
}

/** The text that says it. */
export function faultText(fault: DraftFault) {
  if (fault === 'name') return 'desk.needName';
  return fault === 'number' ? 'desk.numberHint' : (`problem.${fault}` as const);
}
