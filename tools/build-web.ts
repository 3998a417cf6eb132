import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packFiles } from './pack-files.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { newestChange } from './sources.ts';

const DIST = join(ROOT, 'apps/web/dist');
const STAMP = join(DIST, '.built');
const INPUTS = ['apps/web', 'packages/base', 'packages/schema', 'packages/sync', 'packages/core', 'packages/ui'];

function isFresh(): boolean {
  if (!existsSync(STAMP)) return false;
  return newestChange(INPUTS.map(folder => join(ROOT, folder))) <= statSync(STAMP).mtimeMs;
}

/**
 * Builds apps/web into apps/web/dist unless what is there is newer than every source.
 * @throws {Error} with Vite's output when the build fails
 */
export async function buildWeb(options: { force?: boolean } = {}): Promise<'built' | 'fresh'> {
  if (!options.force && isFresh()) return 'fresh';
  const { code, output } = await runCommand('vite', ['build', 'apps/web', '--logLevel', 'error'], {
    env: { NO_COLOR: '1' },
  });
  if (code !== 0) throw new Error(`The app could not be built:\n${output}`);
  await packFiles(DIST);
  writeFileSync(STAMP, '');
  return 'built';
}
