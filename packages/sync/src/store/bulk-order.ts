import type { BulkBlock, BulkKey } from './bulk-block.ts';
import type { StoredRecord } from './stored.ts';

/** As much of a range of an index as is asked for here: both ends belong to it. */
type Range = Pick<IDBKeyRange, 'lower' | 'upper'>;

const isWithin = (key: string, { lower, upper }: Range): boolean => key >= lower && key <= upper;

/** The strings of landed rows that lie in a range, in no order. */
export const keysWithin = (blocks: readonly BulkBlock[], range: Range): BulkKey[] =>
  blocks.flatMap(block => block.keys().filter(({ key }) => isWithin(key, range)));

type Entry = { key: string; id: string; record: () => StoredRecord };

const entryOf = ({ key, block, place }: BulkKey): Entry => ({
  key,
  id: block.idAt(place),
  record: () => block.record(place),
});

/** Order of an index: by the string, then by the record. Ids are UUIDs, whose bytes sort as their text. */
const byKey = (a: Entry, b: Entry): number => compare(a.key, b.key) || compare(a.id, b.id);
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

/**
 * What an index would give if landed rows were in it.
 *
 * @param records what it gives without them, at most `limit` of it; a record stands there once for each of its strings
 */
export function inKeyOrder(
  records: readonly StoredRecord[],
  blocks: readonly BulkBlock[],
  range: Range,
  limit?: number,
): StoredRecord[] {
  const once = new Map(records.map(record => [record.id, record]));
  const alone = [...once.values()].flatMap(record =>
    [...new Set(record.keys)]
      .filter(key => isWithin(key, range))
      .map((key): Entry => ({ key, id: record.id, record: () => record })),
  );
  const all = [...alone, ...keysWithin(blocks, range).map(entryOf)].toSorted(byKey);
  // As for IndexedDB, 0 is no limit.
  return all.slice(0, limit || all.length).map(({ record }) => record());
}

/** Landed rows beside a cursor that goes down an index. */
export class BulkFromEnd {
  private readonly waiting: Entry[];

  constructor(blocks: readonly BulkBlock[], range: Range) {
    this.waiting = keysWithin(blocks, range).map(entryOf).toSorted(byKey);
  }

  /** Those that come before this place of the cursor; with null all that are left. */
  *upTo(key: string | null, id: string): Generator<StoredRecord> {
    for (let last = this.waiting.at(-1); last; last = this.waiting.at(-1)) {
      if (key !== null && (compare(last.key, key) || compare(last.id, id)) < 0) return;
      this.waiting.pop();
      yield last.record();
    }
  }
}
