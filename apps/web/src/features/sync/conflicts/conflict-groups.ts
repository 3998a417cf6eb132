import { isFinished } from '@cairn/core/inspections/inspection-states.ts';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

type Inspection = {
  id: string;
  title: string;
  /** What another device signed stays as it was signed. */
  isFinished: boolean;
};

/** By the id of a conflict: the inspection it is of. Those of other records are not in it. */
export type ConflictInspections = ReadonlyMap<string, Inspection>;

/** Where a conflict of an inspection, or of an answer, stands. Of an answer that is gone, what was written here says it. */
export async function placeOf(tx: Tx, { table, recordId, mine }: Pick<Conflict, 'table' | 'recordId' | 'mine'>) {
  if (table === 'inspections') return { inspection: await tx.get(table, recordId), question: null };
  if (table !== 'inspection_answers') return null;
  const { inspection_id: id, question } = (await tx.get(table, recordId)) ?? mine;
  return { inspection: typeof id === 'string' ? await tx.get('inspections', id) : undefined, question };
}

async function inspectionOf(tx: Tx, conflict: Conflict): Promise<Inspection | null> {
  const found = (await placeOf(tx, conflict))?.inspection;
  return found ? { id: found.id, title: found.title, isFinished: isFinished(found.status) } : null;
}

/** Reads which inspections conflicts are of. */
export function conflictInspections(conflicts: readonly Conflict[]): Query<ConflictInspections> {
  return {
    key: `sync/conflictInspections/${conflicts.map(({ id }) => id).join(',')}`,
    tables: ['inspections', 'inspection_answers'],
    async read(tx) {
      const found = conflicts.map(async conflict => [conflict.id, await inspectionOf(tx, conflict)] as const);
      return new Map((await Promise.all(found)).flatMap(([id, of]) => (of === null ? [] : [[id, of]])));
    },
  };
}

/** Conflicts that are one matter to a person: those of one inspection, or one that stands for itself. */
export type ConflictGroup = { key: string; inspection: Inspection | null; conflicts: [Conflict, ...Conflict[]] };

/** Puts the values of one inspection that are to be chosen together, in the order in which each came first. */
export function groupsOf(conflicts: readonly Conflict[], inspections: ConflictInspections): ConflictGroup[] {
  const groups = new Map<string, ConflictGroup>();
  for (const conflict of conflicts) {
    // What is gone is asked about in other words, and has no "mine" for all.
    const isChosen = conflict.kind === 'fields' && conflict.fields.length > 0;
    const inspection = (isChosen && inspections.get(conflict.id)) || null;
    const key = inspection?.id ?? conflict.id;
    const group = groups.get(key);
    if (group) group.conflicts.push(conflict);
    else groups.set(key, { key, inspection, conflicts: [conflict] });
  }
  return [...groups.values()];
}
