import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '@cairn/database/error-code.ts';
import type { Caller } from '../access/bearer.ts';
import { LineBroken, chunksOf } from '../requests/upload-line.ts';
import type { Target } from './names.ts';

/** An upload that comes in pieces, as it was announced. */
export type PendingUpload = Target & {
  /** Who announced it; null for a visitor. */
  ownerId: string | null;
  isUpsert: boolean;
  /** Announced with a signed link, whose holder need not be a person. */
  isSigned: boolean;
  /** Who made that link: with each piece they must still be allowed to. Null: whoever asks is asked themselves. */
  by: Caller | null;
  /** Bytes of the whole. */
  length: number;
  mimetype: string;
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ID_LENGTH = 36;
/** How long an upload may take from its announcement, ms. */
export const LIFE_MS = 24 * 3600 * 1000;

/** Of two uploads of one object by one person only the newer goes on; one that may replace objects stands alone. */
const isGivenUp = (upload: PendingUpload, instead: PendingUpload | undefined): boolean =>
  instead !== undefined &&
  !upload.isUpsert &&
  upload.ownerId !== null &&
  upload.ownerId === instead.ownerId &&
  upload.bucket === instead.bucket &&
  upload.name === instead.name;

async function appendAll(handle: FileHandle, chunks: AsyncIterable<Uint8Array>, space: number): Promise<'ok' | 'over'> {
  let left = space;
  try {
    for await (const chunk of chunks) {
      if (chunk.byteLength > left) return 'over';
      left -= chunk.byteLength;
      await handle.writeFile(chunk);
    }
  } catch (error) {
    // A line that broke, or was let go, after the last byte has lost nothing: what is whole is finished, not left lying.
    if (left > 0 || !(error instanceof LineBroken)) throw error;
  }
  return 'ok';
}

/** One request at work on an upload. */
type UploadLock = { letGo: AbortController; ended: Promise<unknown> };

/** Uploads in progress, on the disk: they outlive the connection and the process. */
export class ResumableUploads {
  private readonly folder: string;
  private readonly held = new Map<string, UploadLock>();

  constructor(folder: string) {
    this.folder = folder;
  }

  private file(id: string): string {
    return join(this.folder, id);
  }

  /** @returns its id, which nobody can guess */
  async announce(upload: PendingUpload): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const id = randomUUID();
    await writeFile(this.file(id), '', { mode: 0o600 });
    await writeFile(`${this.file(id)}.new`, JSON.stringify(upload), { mode: 0o600 });
    await rename(`${this.file(id)}.new`, `${this.file(id)}.json`);
    return id;
  }

  /** The upload and the number of bytes that have come; null when there is none of this id. */
  async find(id: string): Promise<(PendingUpload & { offset: number }) | null> {
    if (!ID.test(id)) return null;
    try {
      const [text, { size }] = await Promise.all([readFile(`${this.file(id)}.json`, 'utf8'), stat(this.file(id))]);
      const upload: PendingUpload = JSON.parse(text);
      return { ...upload, offset: size };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /**
   * Runs `work` with no other request at work on the same upload. One that waits for more bytes is told to let go: its
   * line is dead, for its own device asks again. What it took is kept.
   */
  async alone<T>(id: string, work: (letGo: AbortSignal) => Promise<T>): Promise<T> {
    for (let hold = this.held.get(id); hold; hold = this.held.get(id)) {
      hold.letGo.abort();
      await hold.ended;
    }
    const letGo = new AbortController();
    const working = work(letGo.signal);
    // Whoever waits for the end does not care which one it is.
    const ended = working.then(
      () => this.held.delete(id),
      () => this.held.delete(id),
    );
    this.held.set(id, { letGo, ended });
    return working;
  }

  /**
   * Adds what comes; what came before a broken line is kept. Call it inside `alone`.
   *
   * @param space bytes that may still come
   * @throws {LineBroken}
   */
  async append(
    id: string,
    body: ReadableStream<Uint8Array>,
    space: number,
    letGo: AbortSignal,
  ): Promise<'ok' | 'over'> {
    const handle = await open(this.file(id), 'a');
    try {
      return await appendAll(handle, chunksOf(body, { letGo }), space);
    } finally {
      await handle.sync();
      await handle.close();
    }
  }

  read(id: string): Readable {
    return createReadStream(this.file(id));
  }

  async remove(id: string): Promise<void> {
    await rm(`${this.file(id)}.json`, { force: true });
    await rm(`${this.file(id)}.new`, { force: true });
    await rm(this.file(id), { force: true });
  }

  /**
   * Drops what was announced too long ago, and what a crash between its two files has left.
   *
   * @param now milliseconds since 1970
   * @param instead an upload about to be announced: an earlier one of the same person for the same object was given up
   * @returns how many uploads whoever announces `instead` has underway
   */
  async sweep(now: number, instead?: PendingUpload): Promise<number> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const ids = new Set((await readdir(this.folder)).map(name => name.slice(0, ID_LENGTH)));
    let underway = 0;
    for (const id of ids) {
      const upload = await this.find(id);
      const isOver = upload ? upload.expiresAt <= now || isGivenUp(upload, instead) : await this.isLeft(id, now);
      if (isOver && !this.held.has(id)) await this.remove(id);
      else if (upload && upload.ownerId === instead?.ownerId) underway += 1;
    }
    return underway;
  }

  /** No upload, and nobody has touched what there is for as long as an upload lives. */
  private async isLeft(id: string, now: number): Promise<boolean> {
    const files = [this.file(id), `${this.file(id)}.json`, `${this.file(id)}.new`];
    const found = await Promise.all(files.map(file => stat(file).catch(() => null)));
    return found.every(each => each === null || each.mtimeMs + LIFE_MS <= now);
  }
}
