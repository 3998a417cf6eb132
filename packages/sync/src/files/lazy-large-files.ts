import { heldFiles, type HeldFile, type LargeFile } from './held-files.ts';
import type { KeepPlace } from './large-files.ts';

/**
 * Large files that are here because somebody wanted them: nothing frees them but that person, or the end of their copy. Photos
 * and what is fetched on the way are kept otherwise (`engine.file`).
 */
export interface LargeFileStore {
  /** By the id of the file, also those that came in part. */
  held(): Promise<ReadonlyMap<string, HeldFile>>;
  /**
   * Fetches what is not here yet, from where it broke off.
   *
   * @throws {Failure} `storage_full`, `offline`, `not_found`, `signed_out`
   */
  keep(file: LargeFile, onProgress: (have: number) => void, signal: AbortSignal): Promise<void>;
  /** @throws {Failure} `not_found` where not all of these bytes are here */
  read(id: string, offset: number, length: number): Promise<ArrayBuffer>;
  forget(id: string): Promise<void>;
}

/** Their code arrives when somebody asks for it. */
export function lazyLargeFiles(place: KeepPlace): LargeFileStore {
  const files = () => import('./large-files.ts');
  return {
    held: () => heldFiles(place),
    keep: async (file, onProgress, signal) => (await files()).keepLargeFile(place, file, { onProgress, signal }),
    read: async (id, offset, length) => (await files()).readHeld(place, id, { offset, length }),
    forget: async id => (await files()).forgetLargeFile(place, id),
  };
}
