import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MIN_FREE_BYTES = 4 * 2 ** 30;

/** Where a run keeps its files: in memory where there is room, which saves waiting for the disk; `TMPDIR` says otherwise. */
export function useMemoryFolder(): void {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < MIN_FREE_BYTES) return;
  const folder = mkdtempSync(join(memory, 'cairn-test-'));
  // The database runs under an account of its own.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
