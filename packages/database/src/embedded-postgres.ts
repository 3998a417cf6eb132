import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { asAccount, postgresAccount, type PostgresAccount } from './postgres-account.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { openCluster, type Cluster } from './postgres-cluster.ts';
import { clearLeftover, readPostmaster, stopPostmaster } from './postmaster.ts';
import { StartFailure } from './start-failure.ts';

export type EmbeddedPostgres = {
  /** Connection string of the superuser; holds the password, so it never goes into a log. */
  url: string;
  port: number;
  /** Ends sessions, writes everything down and waits until the process is gone. */
  stop(): Promise<void>;
  /** Settles when Postgres has ended, whoever ended it. */
  ended: Promise<void>;
};

const READY_POLL_MS = 15;
const READY_WITHIN_MS = 60_000;
const STOP_PATIENCE_MS = 3_000;
const PORT_ATTEMPTS = 5;

/** fsync and synchronous_commit stay on: what was acknowledged survives a power cut. Statements never reach the log. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  fsync: 'on',
  jit: 'off',
  TimeZone: 'UTC',
  search_path: '"$user", public, extensions',
  max_wal_size: '512MB',
  // Of one process: a statement that sorts or keeps more than that ends, before the disk is full for everybody.
  temp_file_limit: '1GB',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * For the C library of most Linuxes, nothing elsewhere. A page of a pull is made as megabytes of text, in pieces that grow: memory given back after each piece
 * comes back as empty pages, a quarter of the page's time. Bytes.
 */
const MEMORY = { MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_MMAP_THRESHOLD_: '16777216', MALLOC_TOP_PAD_: '1048576' };

/** A server holds fewer than thirty. */
const MAX_CONNECTIONS = 60;

type Run = { binaries: string; cluster: Cluster; account: PostgresAccount; logFile: string; maxConnections: number };

function launch({ binaries, cluster, account, logFile, maxConnections }: Run, port: number): ChildProcess {
  const all = { ...SETTINGS, max_connections: String(maxConnections) };
  const settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'w', 0o600);
  // Detached: Ctrl-C in a terminal must reach only us, so that requests in hand end before the database does.
  const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', cluster.folder, '-p', String(port), ...settings], {
    ...asAccount(account),
    env: { ...process.env, ...MEMORY },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  return child;
}

async function becomesReady(child: ChildProcess, cluster: string): Promise<boolean> {
  const giveUp = Date.now() + READY_WITHIN_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < giveUp) {
    const state = readPostmaster(cluster);
    if (state?.pid === child.pid && state?.status === 'ready') return true;
    await wait(READY_POLL_MS);
  }
  return false;
}

async function launchOnSomePort(run: Run, wanted: number | undefined): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt++) {
    const port = wanted ?? (await freePort());
    const child = launch(run, port);
    if (await becomesReady(child, run.cluster.folder)) return { child, port };
    if (child.pid && child.exitCode === null) await stopPostmaster(child.pid, run.cluster.folder, STOP_PATIENCE_MS);
    const log = readFileSync(run.logFile, 'utf8');
    if (log.includes('Address already in use') && wanted === undefined) continue;
    const reason = log.match(/FATAL: {2}(.*)/)?.[1] ?? 'it gave no reason';
    throw new StartFailure(`Postgres did not start: ${reason}.`);
  }
  throw new StartFailure(`Postgres found no free port in ${PORT_ATTEMPTS} attempts.`);
}

/**
 * Starts the Postgres that came with npm on a data folder, made on first use; on the loopback interface only, under an
 * unprivileged account when we are root. One that an earlier, killed process left running on the folder is stopped first.
 *
 * @param options `dataDir` any folder, also with spaces; `port` only when it must be a certain one;
 *   `maxConnections` where more than one server shares it
 * @throws {StartFailure} with one sentence when it cannot start
 */
export async function startPostgres(options: {
  dataDir: string;
  port?: number;
  maxConnections?: number;
}): Promise<EmbeddedPostgres> {
  const account = postgresAccount();
  const binaries = postgresBinaries(account);
  const dataDir = resolve(options.dataDir);
  const cluster = openCluster(binaries, { dataDir, account });
  await clearLeftover(cluster.folder, STOP_PATIENCE_MS);
  const { maxConnections = MAX_CONNECTIONS } = options;
  const run = { binaries, cluster, account, logFile: join(dataDir, 'postgres.log'), maxConnections };
  const { child, port } = await launchOnSomePort(run, options.port);
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  return {
    url: `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
    port,
    ended,
    async stop() {
      if (child.pid && child.exitCode === null) await stopPostmaster(child.pid, cluster.folder, STOP_PATIENCE_MS);
      if (child.exitCode === null && child.signalCode === null) await ended;
    },
  };
}
