import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of one block of LevelDB's log, and of a record's header: checksum, length, type. */
const BLOCK = 32_768;
const HEADER = 7;
const WHOLE_RECORD = 1;

/**
 * What a browser leaves behind that is killed in the middle of writing: the last record of IndexedDB's log says it is longer
 * than it is. Only while no browser has this profile open.
 */
export function leaveHalfARecord(profile: string): void {
  const root = join(profile, 'Default', 'IndexedDB');
  for (const origin of readdirSync(root).filter(name => name.endsWith('.leveldb'))) {
    const logs = readdirSync(join(root, origin)).filter(name => name.endsWith('.log'));
    const log = logs.toSorted().at(-1);
    if (!log) throw new Error(`no log in ${origin}`);
    const left = BLOCK - (statSync(join(root, origin, log)).size % BLOCK);
    // The reader passes over zeros, as they stand at the end of a block.
    const filler = left < 1024 ? left : 0;
    const record = Buffer.alloc(HEADER + 20, 0x5a);
    record.writeUInt16LE(900, 4);
    record[6] = WHOLE_RECORD;
    appendFileSync(join(root, origin, log), Buffer.concat([Buffer.alloc(filler), record]));
  }
}
