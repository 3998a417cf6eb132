import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConnection } from '@cairn/database/prepare-database.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';
import type { Sql, TransactionSql } from 'postgres';
import { addDemoPeople } from './demo-people.ts';

const SEED_FILE = /^\d+_[a-z0-9_]+\.sql$/;
const DAILY = 'daily.sql';

/** As the Supabase CLI keeps it: what was seeded, so that it is not seeded again after somebody removed it. */
const MARKERS = `
  create schema if not exists supabase_migrations authorization cairn_migrator;
  create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);`;

async function runFile(tx: TransactionSql, folder: string, file: string): Promise<void> {
  await tx.unsafe('set local role cairn_migrator');
  try {
    await tx.unsafe(readFileSync(join(folder, file), 'utf8'));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The seed ${file} failed: ${message}`, { cause: error });
  }
}

async function once(sql: Sql, done: Set<string>, path: string, work: (tx: TransactionSql) => Promise<void>) {
  if (done.has(path)) return;
  await sql.begin(async tx => {
    await tx`insert into supabase_migrations.seed_files (path, hash) values (${path}, 'seeded')`;
    await work(tx);
  });
}

/**
 * Adds the demo people and rows on the first start, each part in one transaction, and on every start what should be due
 * today.
 *
 * @param url connection string of a superuser, of a migrated database
 * @param folder the seed files, `NN_<area>.sql` and `daily.sql`
 * @param signal ends the work between two parts
 * @returns whether this start was the one that seeded
 */
export async function seedDatabase(url: string, folder: string, signal?: AbortSignal): Promise<boolean> {
  const files = existsSync(folder) ? readdirSync(folder).filter(file => SEED_FILE.test(file)) : [];
  return withConnection(url, async sql => {
    await sql.unsafe(MARKERS);
    const rows = await sql<{ path: string }[]>`select path from supabase_migrations.seed_files`;
    const done = new Set(rows.map(row => row.path));
    const first = !done.has('demo-people');
    await once(sql, done, 'demo-people', addDemoPeople);
    for (const file of files.toSorted()) {
      signal?.throwIfAborted();
      await once(sql, done, file, tx => runFile(tx, folder, file));
    }
    if (existsSync(join(folder, DAILY))) await sql.begin(tx => runFile(tx, folder, DAILY));
    return first;
  });
}

/** Whether an earlier start put the demo sign-ins, whose password is public, into this database. */
export async function isSeeded(url: string): Promise<boolean> {
  return withConnection(url, async sql => {
    const rows = await sql`select from auth.users where email like '%@demo.cairn.test' limit 1`;
    return rows.length > 0;
  });
}
