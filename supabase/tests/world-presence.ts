import { derivedId } from '@cairn/base/id.ts';
import { keptEntry, NOTHING_BEFORE } from '@cairn/core/on-site/presence-chain.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { addRow } from './add-row.ts';

/** The worker began the inspection. */
export async function addPresence(db: TestDatabase, under: { inspection_id: string }, worker: string): Promise<void> {
  const [inspection, strand] = [under.inspection_id, derivedId(under.inspection_id, 'presence/phone')];
  const place = { format: 1, inspection, strand, position: 1, previous: NOTHING_BEFORE } as const;
  const begun = keptEntry({ ...place, kind: 'started', at: '2026-11-21T08:00:00.000Z', by: worker, facts: {} });
  await addRow(db, 'presence_entries', { ...under, id: derivedId(strand, '1'), ...begun, by_id: worker });
}
