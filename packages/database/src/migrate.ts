import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql, TransactionSql } from 'postgres';
import { withConnection } from './prepare-database.ts';
import { StartFailure } from './start-failure.ts';

export type Migration = { version: string; name: string; text: string };

const FILE_NAME = /^(\d{14})_([a-z0-9_]+)\.sql$/;

/** The same history table as the Supabase CLI keeps, so that either can go on where the other stopped. */
const HISTORY = `
  create schema if not exists supabase_migrations authorization cairn_migrator;
  create table if not exists supabase_migrations.schema_migrations
    (version text primary key, statements text[], name text);
  alter table supabase_migrations.schema_migrations owner to cairn_migrator;`;

/**
 * The migrations of a folder, oldest first.
 *
 * @throws {StartFailure} when a file is not named `<utc>_<area>_<what>.sql` or two share a version
 */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder).filter(file => file.endsWith('.sql'));
  const migrations = files.toSorted().map(file => {
    const [, version, name] = FILE_NAME.exec(file) ?? [];
    if (!version || !name) throw new StartFailure(`The migration ${file} is not named <utc>_<area>_<what>.sql.`);
    return { version, name, text: readFileSync(join(folder, file), 'utf8') };
  });
  const twice = migrations.find((migration, at) => migrations[at - 1]?.version === migration.version);
  if (twice) throw new StartFailure(`Two migrations have the version ${twice.version}.`);
  return migrations;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * What was applied, with the SHA-256 of each file; null where the CLI divided it into statements. Hashed by the database: to
 * read two megabytes of SQL out of arrays is a third of a start.
 */
async function recorded(sql: Sql): Promise<Map<string, string | null>> {
  const rows = await sql<{ version: string; hash: string | null }[]>`
    select version, case when cardinality(statements) = 1
        then encode(sha256(convert_to(statements[1], 'UTF8')), 'hex') end as hash
    from supabase_migrations.schema_migrations`;
  return new Map(rows.map(row => [row.version, row.hash]));
}

/** A database with migrations of which this build knows nothing was made by another one: what is in it fits none of the files here. */
function refuseOthers(migrations: Migration[], done: ReadonlyMap<string, string | null>): void {
  const known = new Set(migrations.map(({ version }) => version));
  const unknown = [...done.keys()].toSorted().find(version => !known.has(version));
  if (!unknown) return;
  throw new StartFailure(
    `This database was made by another build of Cairn (it has migration ${unknown}, which is unknown here): open it with that build, or start this one with an empty data folder.`,
  );
}

/** Applied files may not change: a database made before and one made after the change would differ for good. */
function refuseChanges(migrations: Migration[], done: ReadonlyMap<string, string | null>): void {
  const changed = migrations.find(({ version, text }) => {
    const hash = done.get(version);
    return typeof hash === 'string' && hash !== sha256(text);
  });
  if (!changed) return;
  throw new StartFailure(
    `The migration ${changed.version}_${changed.name}.sql was changed after it was applied; put it back and add a new one.`,
  );
}

async function apply(tx: TransactionSql, { version, name, text }: Migration): Promise<void> {
  await tx.unsafe('set local role cairn_migrator');
  try {
    await tx.unsafe(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The migration ${version}_${name}.sql failed: ${message}`, { cause: error });
  }
  await tx`insert into supabase_migrations.schema_migrations (version, name, statements)
    values (${version}, ${name}, ${[text]})`;
}

/**
 * Applies what is new in the folder, in order, as `cairn_migrator`; each file and its history row are one transaction.
 *
 * @param url connection string of a superuser, of a prepared database
 * @param signal ends the work between two files
 * @returns the versions applied now
 * @throws {StartFailure} when a file fails, one that was applied has changed since, or another build made the database; the
 *   signal's reason
 */
export async function applyMigrations(url: string, folder: string, signal?: AbortSignal): Promise<string[]> {
  const migrations = readMigrations(folder);
  return withConnection(url, async sql => {
    await sql.unsafe(HISTORY);
    const done = await recorded(sql);
    refuseOthers(migrations, done);
    refuseChanges(migrations, done);
    const fresh = migrations.filter(migration => !done.has(migration.version));
    for (const migration of fresh) {
      signal?.throwIfAborted();
      await sql.begin(tx => apply(tx, migration));
    }
    return fresh.map(migration => migration.version);
  });
}
