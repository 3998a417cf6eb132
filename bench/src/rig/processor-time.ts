import { readdirSync, readFileSync } from 'node:fs';

/** One tick of /proc in ms: 100 Hz on every Linux this runs on. */
const TICK_MS = 10;

type Process = { pid: string; parent: string; command: string; ms: number };

function read(pid: string): Process | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: fields[1] ?? '', command, ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch (error) {
    // A process may end while we read about it.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}

function kindOf(command: string, folder: string): string | null {
  if (/(server|pouch)-process\.ts/.test(command)) return 'server';
  if (!command.includes(folder) && !command.includes('--type=')) return null;
  const type = /--type=([\w-]+)/.exec(command)?.[1];
  if (!type) return command.includes('--user-data-dir') ? 'browser' : null;
  return type === 'utility' ? (/--utility-sub-type=(\w+)/.exec(command)?.[1] ?? 'utility') : type;
}

/**
 * Processor time used so far by the server, Postgres and the browser's processes, in ms by kind. Unlike wall time it says
 * the same on a busy machine. Empty where there is no /proc.
 */
export function processorTime(folder: string): Map<string, number> {
  const total = new Map<string, number>();
  if (process.platform !== 'linux') return total;
  const processes = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => read(pid) ?? []);
  const postmaster = processes.find(
    ({ command, parent }) => command.includes('postgres -D') && parent === String(process.pid),
  );
  for (const found of processes) {
    const kind = found.parent === postmaster?.pid ? 'postgres' : kindOf(found.command, folder);
    if (kind) total.set(kind, (total.get(kind) ?? 0) + found.ms);
  }
  return total;
}
