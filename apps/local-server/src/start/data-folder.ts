import { accessSync, chmodSync, constants, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode } from '@cairn/database/error-code.ts';
import { makeFolder } from '@cairn/database/make-folder.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';

/**
 * Makes the data folder, closed to others. Run by root it may be passed through but not listed, because the embedded
 * Postgres works below it under another account; every file of ours in it is 0600.
 *
 * @returns its real path
 * @throws {StartFailure} when it cannot be made or written
 */
export function openDataFolder(data: string): string {
  const folder = resolve(data);
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, constants.W_OK);
    chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    return realpathSync(folder);
  } catch (error) {
    throw new StartFailure(`Cairn cannot write to the data folder ${folder} (${errorCode(error)}).`, { cause: error });
  }
}
