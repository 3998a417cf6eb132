import { Failure } from '@cairn/base/failure.ts';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import type { Row } from '@cairn/schema';
import type { GeoPoint } from '../forms/question-types/places.ts';
import { openInspection } from './inspection-rows.ts';
import { asksPresence, isTagOf, type placeReasons, type scanReasons } from '../on-site/presence.ts';
import { presenceRows, witness, type WitnessedEvent } from '../on-site/witness.ts';

/** What a person did to prove that they are there, or why they could not. */
export type Proof =
  | { kind: 'scan'; code: string }
  | { kind: 'no_scan'; reason: (typeof scanReasons)[number]; words: string }
  | { kind: 'position'; place: GeoPoint }
  | { kind: 'no_position'; reason: (typeof placeReasons)[number]; words: string };

export type ProvePresence = {
  inspectionId: string;
  proof: Proof;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/** Characters; a code or a reason longer than this is cut. */
const MAX_FACT_LENGTH = 500;

/**
 * Keeps one proof, or the reason why there is none, as the next entry of the chain. A tag of something else is kept too.
 *
 * @returns whether it proves anything: false for somebody else's tag
 * @throws {Failure} `not_found`; `stale_version` when the inspection is finished; `invalid` for "other" without words, or where the form does not ask:
 *   nobody's position is kept unasked
 */
export async function provePresence(tx: WriteTx, { inspectionId, proof, by, at }: ProvePresence): Promise<boolean> {
  const inspection = await openInspection(tx, inspectionId, 'provePresence');
  if (!asksPresence(await tx.get('form_versions', inspection.form_version_id))) {
    throw new Failure('invalid', `provePresence: the form of ${inspectionId} does not ask for it`);
  }
  const asset = inspection.asset_id === null ? undefined : await tx.get('assets', inspection.asset_id);
  const happened = asWitnessed(proof, asset);
  await witness(tx, inspection, { by, at }, [happened]);
  return happened.facts['matched'] !== false;
}

function asWitnessed(proof: Proof, asset: Row<'assets'> | undefined): WitnessedEvent {
  if (proof.kind === 'scan') {
    return { kind: 'scan', facts: { code: proof.code.slice(0, MAX_FACT_LENGTH), matched: isTagOf(asset, proof.code) } };
  }
  if (proof.kind === 'position') {
    const { lat, lon, accuracy } = proof.place;
    return { kind: 'position', facts: { lat, lon, accuracy } };
  }
  const words = proof.words.trim().slice(0, MAX_FACT_LENGTH);
  if (proof.reason === 'other' && words === '') throw new Failure('invalid', 'provePresence: no reason');
  return { kind: proof.kind, facts: { reason: proof.reason, words: words === '' ? null : words } };
}

/** The entries of one inspection, those of all devices. */
export function presenceOf(inspectionId: string): Query<Row<'presence_entries'>[]> {
  return {
    key: `field-ops/presence/${inspectionId}`,
    tables: ['presence_entries'],
    read: tx => presenceRows(tx, inspectionId),
  };
}
