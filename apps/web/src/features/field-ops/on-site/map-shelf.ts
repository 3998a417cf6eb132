import { Failure } from '@cairn/base/failure.ts';
import type { LargeFile } from '@cairn/sync/files/held-files.ts';
import type { LargeFileStore } from '@cairn/sync/files/lazy-large-files.ts';

/** How a map stands on this device: bytes that are here of `size`; whether it is being fetched; why it broke off. */
export type MapDownload = { have: number; size: number; fetching: boolean; failure: Failure | null };

export type Shelf = ReadonlyMap<string, MapDownload>;

export const isWhole = (map: MapDownload | undefined): boolean => map !== undefined && map.have === map.size;

/** The maps on this device, by the id of their file. What is being fetched goes on while screens come and go. */
export class MapShelf {
  private maps: Shelf | null = null;
  private reading: Promise<void> | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly underway = new Map<string, AbortController>();
  private readonly kept: LargeFileStore;

  constructor(kept: LargeFileStore) {
    this.kept = kept;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.reading ??= this.read();
    return () => void this.listeners.delete(listener);
  };

  /** Null until the device's database has said what is here. */
  snapshot = (): Shelf | null => this.maps;

  async keep(file: LargeFile): Promise<void> {
    if (this.underway.has(file.id)) return;
    const controller = new AbortController();
    this.underway.set(file.id, controller);
    const before = this.maps?.get(file.id)?.have ?? 0;
    this.set(file.id, { have: before, size: file.size, fetching: true, failure: null });
    const onProgress = (have: number) => this.set(file.id, { have, size: file.size, fetching: true, failure: null });
    try {
      await this.kept.keep(file, onProgress, controller.signal);
      this.end(file.id, null);
    } catch (error) {
      if (!controller.signal.aborted && !(error instanceof Failure)) throw error;
      this.end(file.id, error instanceof Failure ? error : null);
    } finally {
      this.underway.delete(file.id);
    }
  }

  stop(id: string): void {
    this.underway.get(id)?.abort(new Error('stopped by hand'));
  }

  async drop(id: string): Promise<void> {
    this.stop(id);
    await this.kept.forget(id);
    const next = new Map(this.maps);
    next.delete(id);
    this.tell(next);
  }

  /** Lets go what is no map any more: taken away for everybody, or of a site one has left. */
  async tidy(known: ReadonlySet<string>): Promise<void> {
    for (const id of this.maps?.keys() ?? []) if (!known.has(id)) await this.drop(id);
  }

  private async read(): Promise<void> {
    const held = await this.kept.held();
    const read = [...held].map(([id, map]): [string, MapDownload] => [id, { ...map, fetching: false, failure: null }]);
    this.tell(new Map([...read, ...(this.maps ?? [])]));
  }

  private end(id: string, failure: Failure | null): void {
    const map = this.maps?.get(id);
    if (map) this.set(id, { ...map, fetching: false, failure });
  }

  private set(id: string, map: MapDownload): void {
    this.tell(new Map(this.maps).set(id, map));
  }

  private tell(maps: Shelf): void {
    this.maps = maps;
    for (const listener of this.listeners) listener();
  }
}
