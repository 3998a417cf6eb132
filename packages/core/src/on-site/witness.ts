import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { keptEntry, NOTHING_BEFORE, type PresenceEntry } from './presence-chain.ts';

/** Characters of one fact; a name, a code or a reason longer than this is cut, so that the server takes the entry. */
const MAX_FACT_LENGTH = 500;

/** A fact the server can keep: no NUL and no half of a character, which no text of a database holds. */
const storable = (fact: PresenceEntry['facts'][string]): PresenceEntry['facts'][string] =>
  typeof fact === 'string' ? fact.slice(0, MAX_FACT_LENGTH).replaceAll('\0', '').toWellFormed() : fact;

/** What happened, as far as its kind says more than that. */
export type WitnessedEvent = Pick<PresenceEntry, 'kind' | 'facts'>;

/** Entries of one inspection, strand by strand in their order. */
export const presenceRows = (tx: Tx, inspectionId: string): Promise<Row<'presence_entries'>[]> =>
  tx.range('presence_entries', 'inspection', `${inspectionId}/`, `${inspectionId}/\uffff`);

/**
 * Adds entries to what proves that somebody was there, in the transaction of what they are about: either both are on the device
 * or neither.
 *
 * @param who `by`: who it happened to; `at`: device time, ISO 8601
 */
export async function witness(
  tx: WriteTx,
  inspection: Pick<Row<'inspections'>, 'id' | 'organization_id'>,
  who: { by: string; at: string },
  happened: readonly WitnessedEvent[],
): Promise<void> {
  const strand = derivedId(inspection.id, `presence/${tx.device}/${who.by}`);
  const key = `${inspection.id}/${strand}/`;
  const last = (await tx.range('presence_entries', 'inspection', key, `${key}\uffff`)).at(-1);
  let [position, previous] = [last?.position ?? 0, last?.hash ?? NOTHING_BEFORE];
  for (const { kind, facts } of happened) {
    position += 1;
    const at = new Date(who.at).toISOString();
    const statement = {
      format: 1,
      inspection: inspection.id,
      strand,
      position,
      previous,
      kind,
      at,
      by: who.by,
      facts: Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, storable(fact)])),
    } as const;
    const entry = keptEntry(statement);
    await tx.put('presence_entries', {
      id: derivedId(strand, String(position)),
      organization_id: inspection.organization_id,
      inspection_id: inspection.id,
      ...entry,
    });
    previous = entry.hash;
  }
}
