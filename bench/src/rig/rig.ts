import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@cairn/database/embedded-postgres.ts';
import postgres, { type Sql } from 'postgres';
import { buildPages, gatherMigrations } from './pages.ts';
import { NETWORKS, slowed, type Network } from './slow-network.ts';

export type PouchServer = {
  /** For pages, through the network. */
  url: string;
  /** For seeding and for checking what arrived. */
  direct: string;
  /** From now on this database is nobody's. */
  refuse(database: string): void;
};

export type Rig = {
  /** Where the real local server answers, with the bench pages in the app's place; through the network. */
  url: string;
  /** Superuser connections, for seeding and for checking what arrived. */
  sql: Sql;
  databaseUrl: string;
  /** What the server serves as the app; files put here are served too. */
  dist: string;
  /** For profiles of browsers; removed at the end. */
  folder: string;
  pouch: PouchServer | null;
  stop(): Promise<void>;
};

export type RigOptions = { network?: Network; withPouch?: boolean };

const child = (name: string): ChildProcess =>
  fork(fileURLToPath(new URL(name, import.meta.url)), { execArgv: ['--disable-warning=ExperimentalWarning'] });

async function started(process: ChildProcess, order: object): Promise<string> {
  process.send(order);
  const [answer] = (await once(process, 'message')) as [{ url: string } | { failure: string }];
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.url;
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill('SIGTERM');
  await once(process, 'exit');
}

type Ends = (() => unknown)[];

async function startPouch(folder: string, network: Network, ends: Ends): Promise<PouchServer> {
  mkdirSync(join(folder, 'pouch'));
  const process = child('pouch-process.ts');
  ends.push(() => ended(process));
  const direct = await started(process, { folder: join(folder, 'pouch') });
  const line = await slowed(direct, network);
  ends.push(line.stop);
  return { url: line.url, direct, refuse: database => process.send({ refuse: database }) };
}

async function start(
  folder: string,
  { network, withPouch }: Required<RigOptions>,
  ends: Ends,
): Promise<Omit<Rig, 'stop'>> {
  const database = await startPostgres({ dataDir: join(folder, 'postgres') });
  ends.push(() => database.stop());
  const [dist, migrations] = [join(folder, 'dist'), join(folder, 'migrations')];
  gatherMigrations(migrations);
  await buildPages(dist);
  const server = child('server-process.ts');
  ends.push(() => ended(server));
  const direct = await started(server, { databaseUrl: database.url, data: join(folder, 'data'), migrations, dist });
  const line = await slowed(direct, network);
  ends.push(line.stop);
  const sql = postgres(database.url, { max: 4, onnotice: () => {} });
  ends.push(() => sql.end({ timeout: 1 }));
  const pouch = withPouch ? await startPouch(folder, network, ends) : null;
  return { url: line.url, sql, databaseUrl: database.url, dist, folder, pouch };
}

/** Postgres as the product runs it, its server, and the built pages, all below one temporary folder. */
export async function startRig({ network = NETWORKS[0], withPouch = false }: RigOptions = {}): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  const ends: Ends = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    return { ...(await start(folder, { network, withPouch }, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
