import { jsonOrNull } from '@cairn/base/json-or-null.ts';
import type { Platform } from './platform.ts';

/** Where the spare copy of one person's outbox lies among the spare files. */
const backupOf = (owner: string): string => `${owner}/`;
/** What is unsent, as a rescue file says it, in clear as the database holds it. */
export const outboxOf = (owner: string): string => `${owner}/outbox`;
/** Before the id of each unsent file. */
export const filesOf = (owner: string): string => `${owner}/file/`;

type BackupScope = { platform: Pick<Platform, 'backupFiles'>; owner: string };

/** Takes the copy of somebody's outbox away: what it held is sent, closed, or meant to be forgotten. */
export async function dropBackup({ platform, owner }: BackupScope): Promise<void> {
  const { backupFiles } = platform;
  for (const name of (await backupFiles?.list(backupOf(owner))) ?? []) await backupFiles?.delete(name);
}

/**
 * The same, but for a copy of another database than this device's: a browser threw that away, and its work has not come back
 * yet. It stays for the next time its person is here.
 */
export async function dropOwnBackup(place: BackupScope, device: string): Promise<void> {
  const kept = await place.platform.backupFiles?.get(outboxOf(place.owner));
  // One that nobody can read is of nobody.
  const of: unknown = kept && Object(jsonOrNull(await kept.text()))['device'];
  if (!of || of === device) await dropBackup(place);
}

/** Whether there is a copy of somebody's outbox. */
export async function hasBackup({ backupFiles }: BackupScope['platform'], owner: string): Promise<boolean> {
  return ((await backupFiles?.get(outboxOf(owner))) ?? null) !== null;
}
