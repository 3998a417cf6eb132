import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';
import { type Evidence, type EvidenceState, evidenceMoves, isOpen, type LinkTarget } from './evidence-states.ts';

/** `name`: as it was called where it was picked. */
export type EvidenceFile = NewFile & { name: string };

/** What a person says of it. Days are YYYY-MM-DD, null where nothing is said. */
export type EvidenceFacts = {
  title: string;
  description: string;
  ownerId: string | null;
  periodFrom: string | null;
  periodTo: string | null;
  effectiveOn: string | null;
  expiresOn: string | null;
};

export type EvidenceTarget = { table: LinkTarget; id: string };

export type CollectEvidence = EvidenceFacts & {
  /** A fresh id. */
  id: string;
  organizationId: string;
  files: readonly EvidenceFile[];
  /** What it is about. */
  about: readonly EvidenceTarget[];
  /** The piece it takes the place of once it is accepted. */
  revises: Evidence | null;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

export const MAX_EVIDENCE_FILES = 20;

/** @throws {Failure} `invalid` without a title, and where the end of a time lies before its beginning */
function columnsOf(facts: EvidenceFacts) {
  const title = facts.title.trim();
  const turned = (from: string | null, to: string | null) => from !== null && to !== null && to < from;
  if (title === '' || title.length > 200) throw new Failure('invalid', 'evidence needs a title of at most 200 letters');
  if (turned(facts.periodFrom, facts.periodTo) || turned(facts.effectiveOn, facts.expiresOn))
    throw new Failure('invalid', 'evidence ends before it begins');
  return {
    title,
    description: facts.description.trim() || null,
    owner_id: facts.ownerId,
    period_from: facts.periodFrom,
    period_to: facts.periodTo,
    effective_on: facts.effectiveOn,
    expires_on: facts.expiresOn,
  };
}

/**
 * Writes down a piece of evidence with its files, to be reviewed. Write it with `together`.
 *
 * @throws {Failure} `invalid` without a title, with a time that ends before it begins, with more than 20 files, an empty one, or one
 * the server would not take
 */
export async function collectEvidence(tx: WriteTx, evidence: CollectEvidence): Promise<void> {
  const columns = columnsOf(evidence);
  if (evidence.files.length > MAX_EVIDENCE_FILES) throw new Failure('invalid', `${evidence.files.length} files`);
  const { id, organizationId, by, at } = evidence;
  const place = {
    organization_id: organizationId,
    audience: 'evidence.read' as const,
    captured_at: at,
    captured_by: by,
  };
  for (const file of evidence.files) await keepFile(tx, file, { ...place, name: fileName(file.name) });
  await tx.put('evidence', {
    id,
    organization_id: organizationId,
    series_id: evidence.revises?.series_id ?? id,
    ...columns,
    media_ids: evidence.files.map(file => file.id),
    collected_at: at,
  });
  for (const target of evidence.about) await linkEvidence(tx, { evidenceId: id, organizationId, target });
}

/** Without what would lead elsewhere in a package; null where nothing is left. */
const fileName = (name: string): string | null =>
  name
    .replaceAll(/[/\\\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, 200) || null;

async function presentEvidence(tx: WriteTx, id: string): Promise<Evidence> {
  const found = await tx.get('evidence', id);
  if (!found || found.deleted_at !== null) throw new Failure('not_found', `no evidence ${id}`);
  return found;
}

/**
 * Changes what is said of a piece that was not accepted yet; one that was sent back is brought again by that.
 *
 * @throws {Failure} `not_found`; `stale_version` once it was decided on; `invalid` as `collectEvidence`
 */
export async function changeEvidence(tx: WriteTx, id: string, facts: EvidenceFacts): Promise<void> {
  const before = await presentEvidence(tx, id);
  if (!isOpen(before)) throw new Failure('stale_version', `evidence ${id} is ${before.state}`);
  await tx.change('evidence', id, { ...columnsOf(facts), state: 'collected' });
}

export type DecideEvidence = { id: string; state: Exclude<EvidenceState, 'superseded' | 'collected'>; note: string };

/**
 * Accepts a piece, sends it back or withdraws it. The server says who may.
 *
 * @throws {Failure} `not_found`; `stale_version` where its state does not allow it; `invalid` for a no without a reason
 */
export async function decideEvidence(tx: WriteTx, { id, state, note }: DecideEvidence): Promise<void> {
  const before = await presentEvidence(tx, id);
  if (!evidenceMoves[before.state].includes(state))
    throw new Failure('stale_version', `evidence ${id} is ${before.state}`);
  const text = note.trim();
  if (state !== 'accepted' && text === '') throw new Failure('invalid', `decideEvidence: ${state} without a reason`);
  await tx.change('evidence', id, { state, review_note: text || null });
}

type Link = { evidenceId: string; organizationId: string; target: EvidenceTarget };

/** Says what a piece is about; said already, it stays so. */
export async function linkEvidence(tx: WriteTx, { evidenceId, organizationId, target }: Link): Promise<void> {
  const links = await tx.range('evidence_links', 'evidence', evidenceId, evidenceId);
  const isThere = links.some(link => link.deleted_at === null && link.target_id === target.id);
  if (isThere) return;
  await tx.put('evidence_links', {
    id: newId(),
    organization_id: organizationId,
    evidence_id: evidenceId,
    target_table: target.table,
    target_id: target.id,
  });
}

/** Takes every link between a piece and what it is about away. */
export async function unlinkEvidence(tx: WriteTx, evidenceId: string, targetId: string): Promise<void> {
  for (const link of await tx.range('evidence_links', 'evidence', evidenceId, evidenceId))
    if (link.target_id === targetId && link.deleted_at === null) await tx.remove('evidence_links', link.id);
}
