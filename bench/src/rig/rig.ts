import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@cairn/database/embedded-postgres.ts';
import postgres, { type Sql } from 'postgres';
import { buildPages, gatherMigrations } from './pages.ts';

export type Rig = {
  /** Where the real local server answers, with the bench pages in the app's place. */
  url: string;
  /** Superuser connections, for seeding and for checking what arrived. */
  sql: Sql;
  /** What the server serves as the app; files put here are served too. */
  dist: string;
  /** For profiles of browsers; removed at the end. */
  folder: string;
  stop(): Promise<void>;
};

const SERVER = fileURLToPath(new URL('server-process.ts', import.meta.url));

async function startServer(order: object): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(SERVER, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  child.send(order);
  const [answer] = (await once(child, 'message')) as [{ url: string } | { failure: string }];
  if ('failure' in answer) throw new Error(answer.failure);
  return { url: answer.url, child };
}

/** Postgres as the product runs it, its server, and the built pages, all below one temporary folder. */
export async function startRig(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  const [dist, migrations] = [join(folder, 'dist'), join(folder, 'migrations')];
  const database = await startPostgres({ dataDir: join(folder, 'postgres') });
  const end = async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    gatherMigrations(migrations);
    await buildPages(dist);
    const order = { databaseUrl: database.url, data: join(folder, 'data'), migrations, dist };
    const { url, child } = await startServer(order);
    const sql = postgres(database.url, { max: 4, onnotice: () => {} });
    const stop = async () => {
      await sql.end({ timeout: 1 });
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await end();
    };
    return { url, sql, dist, folder, stop };
  } catch (error) {
    await end();
    throw error;
  }
}
