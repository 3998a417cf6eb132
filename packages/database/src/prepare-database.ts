import { readFileSync } from 'node:fs';
import { getAuthSchemaSql, getStorageSchemaSql, SUPABASE_AUTH_HELPERS_SQL } from '@supabase/lite';
import postgres, { type Sql } from 'postgres';

/** Held while a database is prepared, so that two servers starting on one DATABASE_URL take turns. */
const PREPARE_LOCK = 4_310_001;

const sqlFile = (name: string) => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');

/** The library's tables as far as they are missing; later steps grant on them and replace its helper functions. */
function systemSchemas(): string {
  return [getAuthSchemaSql(), SUPABASE_AUTH_HELPERS_SQL, getStorageSchemaSql()].join('\n');
}

/**
 * Runs `work` on one connection; the work's own error is the one that is heard.
 *
 * @param url a connection string
 */
export async function withConnection<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {}, prepare: false });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Makes a bare database answer like a fresh Supabase project: roles, the schemas auth, storage, extensions and
 * realtime, default privileges, and `cairn_migrator`, under which migrations run. Idempotent.
 *
 * @param url connection string of a superuser
 */
export async function prepareDatabase(url: string): Promise<void> {
  await withConnection(url, sql =>
    sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${PREPARE_LOCK})`;
      for (const text of [
        sqlFile('roles'),
        systemSchemas(),
        sqlFile('auth'),
        sqlFile('schemas'),
        sqlFile('realtime'),
      ]) {
        await tx.unsafe(text);
      }
    }),
  );
}
