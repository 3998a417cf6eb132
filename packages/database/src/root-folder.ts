import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';
import { StartFailure } from './start-failure.ts';

const PLACES = { data: ['/var/lib', '/var/tmp'], cache: ['/var/cache', '/var/tmp'] };

function isSafelyOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === 0 && (stats.mode & 0o022) === 0;
}

/**
 * A folder of ours outside root's home that an unprivileged account can reach. Only asked for when we are root, so
 * /var/lib (which nothing cleans up) is ours to use; a folder that somebody else could have planted is not taken.
 *
 * @throws {StartFailure} when there is no such place
 */
export function rootFolder(kind: keyof typeof PLACES): string {
  for (const place of PLACES[kind]) {
    const folder = join(place, 'cairn');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
    } catch (error) {
      if (['EROFS', 'EACCES', 'EPERM', 'ENOSPC'].includes(errorCode(error))) continue;
      throw error;
    }
    if (isSafelyOurs(folder)) return folder;
  }
  throw new StartFailure(
    `No folder outside root's home could be made for Postgres (tried ${PLACES[kind].join(', ')}).`,
  );
}
