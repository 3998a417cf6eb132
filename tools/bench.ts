import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

const BENCH = join(ROOT, 'bench');
const STAMP = join(BENCH, 'node_modules', '.cairn-installed');

const wanted = () =>
  createHash('sha256')
    .update(readFileSync(join(BENCH, 'package-lock.json')))
    .digest('hex');

/** The peers have a lock file of their own: RxDB pins a Dexie that the product has no use for. */
async function installPeers(): Promise<void> {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted()) return;
  console.log('Installing the peers of the benchmark (once) …');
  const args = ['ci', '--prefix', BENCH, '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const { code, output } = await runCommand('npm', args);
  if (code !== 0) throw new Error(`The peers could not be installed:\n${output}`);
  writeFileSync(STAMP, wanted());
}

await installPeers();
const { code } = await runCommand('node', [join(BENCH, 'src/main.ts'), ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
