import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes `folder` and what is missing above it, level by level.
 *
 * Not `mkdir` with `recursive`: where a file system refuses new folders with "no such file" (/proc does), Node tries the
 * parent and the folder again and again without end.
 *
 * @throws {Error} with the system's code, e.g. `EACCES`, `EROFS`, `ENOENT`, `ENOTDIR`
 */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  mkdirSync(folder, { mode });
}
