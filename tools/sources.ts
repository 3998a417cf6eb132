import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cairn', 'test-results', '.cache']);

/** Every file below `folder`, as full paths, without what is installed or built. */
export function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** When the newest of the files below these folders was changed, in ms since 1970. */
export function newestChange(folders: string[]): number {
  let newest = 0;
  for (const folder of folders) {
    for (const path of filesBelow(folder)) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}
