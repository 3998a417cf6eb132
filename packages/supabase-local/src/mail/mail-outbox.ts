import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@cairn/database/error-code.ts';
import { makeFolder } from '@cairn/database/make-folder.ts';
import type { Mail } from './mail.ts';

export type StoredMail = Mail & { id: string; /** ISO 8601. */ at: string };

const MAX_STORED = 500;
const FILE_NAME = /^(\d{13}-\d{6}-[0-9a-f-]{36})\.json$/;

/** Mail of an installation without a mail server: one file each, readable by its owner only, the latest 500. */
export class MailOutbox {
  private readonly folder: string;
  private count = 0;

  /** @param dataFolder the data folder; the outbox is made in it with the first mail */
  constructor(dataFolder: string) {
    this.folder = join(dataFolder, 'outbox');
  }

  async keep(mail: Mail): Promise<void> {
    makeFolder(this.folder, 0o700);
    const at = new Date();
    this.count += 1;
    // Names sort by time, and within a millisecond by the order they came in.
    const id = `${String(at.getTime()).padStart(13, '0')}-${String(this.count % 1_000_000).padStart(6, '0')}-${randomUUID()}`;
    const { to, subject, text, html } = mail;
    const stored: StoredMail = { id, at: at.toISOString(), to, subject, ...(text && { text }), ...(html && { html }) };
    const file = join(this.folder, `${id}.json`);
    await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
    await rename(`${file}.new`, file);
    await this.forgetOld();
  }

  /** The latest first. */
  async list(): Promise<StoredMail[]> {
    const ids = await this.ids();
    const mails = await Promise.all(ids.toReversed().map(id => this.get(id)));
    return mails.filter(mail => mail !== null);
  }

  async get(id: string): Promise<StoredMail | null> {
    if (!FILE_NAME.test(`${id}.json`)) return null;
    try {
      return JSON.parse(await readFile(join(this.folder, `${id}.json`), 'utf8'));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  private async ids(): Promise<string[]> {
    try {
      const names = await readdir(this.folder);
      return names.flatMap(name => FILE_NAME.exec(name)?.[1] ?? []).toSorted();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  private async forgetOld(): Promise<void> {
    const ids = await this.ids();
    const old = ids.slice(0, Math.max(0, ids.length - MAX_STORED));
    await Promise.all(old.map(id => rm(join(this.folder, `${id}.json`), { force: true })));
  }
}
