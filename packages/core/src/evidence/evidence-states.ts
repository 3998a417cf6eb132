import type { Row } from '@cairn/schema';

export type Evidence = Row<'evidence'>;
export type EvidenceState = Evidence['state'];
export type LinkTarget = Row<'evidence_links'>['target_table'];

/** From a state to those a person may move it to; `compliance.evidence_may_become` says the same, and `superseded` is the server's. */
export const evidenceMoves: Readonly<Record<EvidenceState, readonly EvidenceState[]>> = {
  collected: ['accepted', 'sent_back', 'withdrawn'],
  sent_back: ['collected', 'withdrawn'],
  accepted: ['superseded', 'withdrawn'],
  superseded: [],
  withdrawn: [],
};

/** What was decided on stays as it is; a revision follows it. */
export const isOpen = ({ state }: Pick<Evidence, 'state'>): boolean => state === 'collected' || state === 'sent_back';

const DAY_MS = 86_400_000;

/** Days before its last day from which evidence counts as running out. */
export const SOON_DAYS = 30;

export type Expiry = { kind: 'none' } | { kind: 'valid' | 'soon' | 'expired'; days: number };

/**
 * How long evidence holds.
 *
 * @param today YYYY-MM-DD, a local day
 * @returns `days` until its last day, 0 on it, negative behind it
 */
export function expiryOf({ expires_on: last }: Pick<Evidence, 'expires_on'>, today: string): Expiry {
  if (last === null || last === undefined) return { kind: 'none' };
  const days = Math.round((Date.parse(last) - Date.parse(today)) / DAY_MS);
  if (days < 0) return { kind: 'expired', days };
  return { kind: days <= SOON_DAYS ? 'soon' : 'valid', days };
}

/** Whether it shows something today: accepted, and not run out. */
export const counts = (evidence: Pick<Evidence, 'state' | 'expires_on'>, today: string): boolean =>
  evidence.state === 'accepted' && expiryOf(evidence, today).kind !== 'expired';
