import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartFailure } from './start-failure.ts';

export type Postmaster = { pid: number; port: number; status: string };

const STOP_POLL_MS = 20;

/** What `postmaster.pid` says: line 1 the process, 4 the port, 8 its status. Null when there is none, or not yet. */
export function readPostmaster(cluster: string): Postmaster | null {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '' } : null;
}

function commandOf(pid: number): string {
  const proc = `/proc/${pid}/cmdline`;
  if (existsSync('/proc/self/cmdline')) return existsSync(proc) ? readFileSync(proc, 'utf8') : '';
  return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout;
}

/** Process ids are used again after a reboot, so a living process counts only when it is Postgres on this cluster. */
const isPostgresOf = (pid: number, cluster: string): boolean => {
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(cluster);
};

/** Asks the Postgres of this cluster to end its sessions and stop; by force after `patience` milliseconds. */
export async function stopPostmaster(pid: number, cluster: string, patience: number): Promise<void> {
  const signals: [NodeJS.Signals, number][] = [
    ['SIGINT', patience],
    ['SIGQUIT', patience],
    ['SIGKILL', patience],
  ];
  for (const [signal, ms] of signals) {
    if (!isPostgresOf(pid, cluster)) return;
    process.kill(pid, signal);
    const giveUp = Date.now() + ms;
    while (Date.now() < giveUp && isPostgresOf(pid, cluster)) await wait(STOP_POLL_MS);
  }
  if (isPostgresOf(pid, cluster)) throw new StartFailure(`The earlier Postgres (process ${pid}) does not stop.`);
}

/**
 * Deals with what a killed server left behind: a Postgres that lives on is stopped, and a pid file that names a process
 * that is not Postgres is removed, since Postgres would take it for a second server.
 */
export async function clearLeftover(cluster: string, patience: number): Promise<void> {
  const left = readPostmaster(cluster);
  if (left) await stopPostmaster(left.pid, cluster, patience);
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}
