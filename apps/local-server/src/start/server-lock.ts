import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@cairn/database/error-code.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';

type LockHolder = { pid: number; started: string; token: string };

const ATTEMPTS = 5;
const STARTED_FIELD = 19;

/** When a process began, in whatever unit the system counts; empty when there is none. Ids alone are used again. */
function startOf(pid: number): string {
  if (!existsSync('/proc/self/stat')) {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  }
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return '';
  const text = readFileSync(file, 'utf8');
  // The name in brackets may hold spaces; fields are counted after it.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[STARTED_FIELD] ?? '';
}

function holderIn(text: string): LockHolder | null {
  const [pid, started, token] = text.split('\n');
  return pid && started && token ? { pid: Number(pid), started, token } : null;
}

function take(file: string, text: string): boolean {
  const aside = `${file}.${randomUUID()}`;
  writeFileSync(aside, text, { mode: 0o600 });
  try {
    // A hard link appears whole or not at all, and fails when the name is taken.
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Moves a dead holder's lock away; gives it back when another starter put a fresh one there in the meantime. */
function clearStale(file: string, seen: string): void {
  const away = `${file}.${randomUUID()}`;
  try {
    renameSync(file, away);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (readFileSync(away, 'utf8') !== seen) take(file, readFileSync(away, 'utf8'));
  rmSync(away, { force: true });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Takes the data folder for this process. A lock whose holder is dead (kill -9, power cut) is recognised and replaced.
 *
 * @returns what gives it back
 * @throws {StartFailure} when a living server holds it
 */
export function lockDataFolder(folder: string): () => void {
  const file = join(folder, 'server.lock');
  const mine = `${process.pid}\n${startOf(process.pid)}\n${randomUUID()}\n`;
  const release = () => {
    if (read(file) === mine) rmSync(file, { force: true });
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (take(file, mine)) return release;
    const seen = read(file);
    if (seen === null) continue;
    const holder = holderIn(seen);
    if (holder && startOf(holder.pid) === holder.started) {
      throw new StartFailure(`Another Cairn server (process ${holder.pid}) is using the data folder ${folder}.`);
    }
    clearStale(file, seen);
  }
  throw new StartFailure(`Another Cairn server is starting with the data folder ${folder}.`);
}
