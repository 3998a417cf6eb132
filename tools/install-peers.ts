import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

export const BENCH = join(ROOT, 'bench');
const STAMP = join(BENCH, 'node_modules', '.cairn-installed');

const wanted = () =>
  createHash('sha256')
    .update(readFileSync(join(BENCH, 'package-lock.json')))
    .digest('hex');

/** What only benchmarks need has a lock file of its own: RxDB pins a Dexie that the product has no use for. */
export async function installPeers(): Promise<void> {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted()) return;
  console.log('Installing what the benchmarks need (once) …');
  const args = ['ci', '--prefix', BENCH, '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const { code, output } = await runCommand('npm', args);
  if (code !== 0) throw new Error(`It could not be installed:\n${output}`);
  writeFileSync(STAMP, wanted());
}
