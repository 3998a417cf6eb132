import type { SnapshotImport } from './snapshot-take.ts';

/** Work of an earlier time on this device that the present password did not open. */
export interface LockedOutbox {
  isThere(): Promise<boolean>;
  /** @throws {SealFailure} `decrypt` when this is not what it was closed with */
  unlock(password: string): Promise<SnapshotImport | null>;
}
