import { CONFLICTS, QUEUE } from '../store/changes.ts';
import { isOutboxEmpty, pendingOf } from '../outbox/overview.ts';
import { wholeContentsFrom, collectBackup, type CarriedFile, type SnapshotContents } from './snapshot-contents.ts';
import { RescueRefused } from './snapshot-refused.ts';
import { takeSnapshot, type SnapshotImport } from './snapshot-take.ts';
import { partsOf, readSnapshot, snapshotText, type SnapshotParts } from './snapshot.ts';
import { metaOf, type Session } from '../store/session.ts';
import { dropBackup, filesOf, outboxOf } from '../transport/backup-files.ts';
import { DEVICE, DEVICE_ID } from '../store/stored.ts';

/** A change waits so long (ms) for others that belong to it. */
const SOON = 50;
/**
 * The copy of a long outbox costs more: ms it rests for each KB of words. Not by how long it took: on a busy phone, which is one
 * that may die, the last words would have no copy for seconds.
 */
const REST_PER_KB = 2.5;
/** Bytes that stay free: what is kept twice must never be why something is not kept at all. */
const RESERVED_BYTES = 64 * 1024 * 1024;

type DeviceScope = Pick<Session, 'db' | 'owner' | 'device' | 'platform' | 'changes'>;

/** What the copy says it holds, with the files it has beside it. */
const partsIn = ({ owner, platform }: DeviceScope, said: Blob): SnapshotParts => ({
  count: null,
  async section(_index, file) {
    const kept = file ? await platform.backupFiles?.get(filesOf(owner) + file.id) : said;
    return new Uint8Array((await kept?.arrayBuffer()) ?? new ArrayBuffer());
  },
});

/**
 * Puts back what an earlier database of this device had not sent when the browser threw it away.
 * @returns what came back; null when there was nothing to bring back
 * @throws {RescueRefused} when the copy is not one of ours, or is of a newer Cairn
 */
export async function restoreOutboxBackup(place: DeviceScope): Promise<SnapshotImport | null> {
  const { db, owner, device, platform, changes } = place;
  const kept = await platform.backupFiles?.get(outboxOf(owner));
  if (!kept) return null;
  const snapshot = await readSnapshot(partsIn(place, kept), wholeContentsFrom);
  if (snapshot.contents.device === device) return null;
  return takeSnapshot({ db, owner, emit: names => changes.emit(names), isBackup: true }, snapshot);
}

/** As the badge counts it: an inspection is one thing, however many answers it has. */
async function countOf(place: DeviceScope): Promise<number> {
  const { records, files } = await pendingOf(place);
  return records + files;
}

/** Whether nothing of this very database waits any more; a database in place of the one that was copied does not say so. */
async function isNothingLeft({ db, owner, device }: DeviceScope): Promise<boolean> {
  const tx = await db.transaction(['sync_queue', 'conflicts', 'meta'], 'readonly');
  const [isNothing, id] = await Promise.all([isOutboxEmpty(tx, owner), metaOf<string>(tx, DEVICE, DEVICE_ID)]);
  return id === device && isNothing;
}

/** Writes the copy whenever the outbox has changed, one after the other, and only what is new in it. */
class OutboxBackup {
  private readonly place: DeviceScope;
  private last = '';
  private wanted = false;
  private writing: Promise<void> | null = null;
  private stopped = false;
  private cancel = () => {};

  constructor(place: DeviceScope) {
    this.place = place;
  }

  want(): void {
    this.wanted = true;
    if (!this.writing) this.soon(SOON);
  }

  /** Nothing is written after it. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel();
    await this.writing;
  }

  private soon(ms: number): void {
    if (this.stopped) return;
    this.cancel();
    this.cancel = this.place.platform.clock.after(ms, () => void this.run());
  }

  private async run(): Promise<void> {
    if (this.writing || this.stopped) return;
    this.wanted = false;
    // A copy that fails is stale and no more: the work itself lies in the database.
    this.writing = this.write().catch(() => undefined);
    await this.writing;
    this.writing = null;
    if (this.wanted) this.soon(Math.max(SOON, (REST_PER_KB * this.last.length) / 1024));
  }

  private async write(): Promise<void> {
    const { db, owner, device, platform } = this.place;
    const { backupFiles } = platform;
    const contents = await collectBackup(db, owner, device);
    const text = contents && snapshotText(contents);
    // An empty database in place of the one that was copied: the copy is all there is.
    if (!contents || text === null || text === this.last || !backupFiles) return;
    if (contents.entries.length + contents.conflicts.length === 0) await dropBackup(this.place);
    // No copy rather than an old one: what was let go of since would come back with it, from this database or the one before.
    else if ((await platform.storageLeft()) < RESERVED_BYTES) await dropBackup(this.place);
    else {
      try {
        await this.put(contents, text);
      } finally {
        // Another tab may have signed this person out meanwhile, and found no copy yet to take away; also where a stop cut this short.
        if (await isNothingLeft(this.place)) await dropBackup(this.place);
      }
    }
    this.last = text;
  }

  private async put(contents: SnapshotContents, text: string): Promise<void> {
    const { db, owner, platform } = this.place;
    let known: string[] | null = null;
    // Asked for once the words are written: they come first.
    const copied = async () => (known ??= await this.copied());
    const isWanted = async ({ id, bytes: size }: CarriedFile) =>
      !(await copied()).includes(filesOf(owner) + id) && (await platform.storageLeft()) >= RESERVED_BYTES + size;
    for await (const { file, bytes } of partsOf(db, contents, { text, isWanted })) {
      if (!bytes) continue;
      if (file) await platform.backupFiles?.put(filesOf(owner) + file.id, new Blob([bytes]));
      else await platform.backupFiles?.put(outboxOf(owner), new Blob([bytes], { type: 'application/json' }));
    }
    await this.dropFiles(await copied(), contents.files);
  }

  /** Names of the files that are in the copy. */
  private async copied(): Promise<string[]> {
    const { owner, platform } = this.place;
    return (await platform.backupFiles?.list(filesOf(owner))) ?? [];
  }

  private async dropFiles(copied: readonly string[], except: readonly CarriedFile[]): Promise<void> {
    const { owner, platform } = this.place;
    const needed = new Set(except.map(({ id }) => filesOf(owner) + id));
    for (const name of copied) if (!needed.has(name)) await platform.backupFiles?.delete(name);
  }
}

/**
 * Keeps a copy of what is unsent outside the device database, for the day a browser throws that away (decision 13).
 * Only the tab that leads does it. What an earlier database left is brought back first, and `onBack` is told how much.
 *
 * @returns what ends it
 */
export async function keepOutboxBackup(
  place: DeviceScope,
  onBack: (count: number) => void,
): Promise<() => Promise<void>> {
  if (!place.platform.backupFiles) return async () => undefined;
  try {
    const taken = await restoreOutboxBackup(place);
    if (taken && taken.entries + taken.files > 0) onBack(await countOf(place));
  } catch (error) {
    // Not readable now, nor later: what it was is counted as lost. What a newer Cairn wrote waits for it.
    if (!(error instanceof RescueRefused) || error.problem === 'newer') throw error;
  }
  const copy = new OutboxBackup(place);
  const off = place.changes.on(names => {
    if (names.has(QUEUE) || names.has(CONFLICTS)) copy.want();
  });
  copy.want();
  return () => {
    off();
    return copy.stop();
  };
}
