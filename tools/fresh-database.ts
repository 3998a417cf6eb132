import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { startPostgres } from '../packages/database/src/embedded-postgres.ts';
import { applyMigrations } from '../packages/database/src/migrate.ts';
import { prepareDatabase, withConnection } from '../packages/database/src/prepare-database.ts';
import { ROOT } from './root.ts';

/** Gives `use` a connection to a new database with all migrations of a folder applied; nothing of it stays. */
export async function withFreshDatabase<A>(
  use: (sql: Sql) => Promise<A>,
  folder: string = join(ROOT, 'supabase/migrations'),
): Promise<A> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-gen-'));
  const server = await startPostgres({ dataDir });
  try {
    await prepareDatabase(server.url);
    await applyMigrations(server.url, folder);
    return await withConnection(server.url, use);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
