import { join } from 'node:path';
import { startPostgres } from '@cairn/database/embedded-postgres.ts';
import { errorCode } from '@cairn/database/error-code.ts';
import { applyMigrations } from '@cairn/database/migrate.ts';
import { prepareDatabase, withConnection } from '@cairn/database/prepare-database.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';

export type Database = {
  url: string;
  stop(): Promise<void>;
  /** Settles when the embedded Postgres has ended; never for one that is not ours. */
  ended: Promise<void>;
};

/** Codes of a connection that could not be made or was lost; the same call may go through in a moment. */
export const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ECONNRESET',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
]);

/** What the connection string gives away without its user and password. */
const placeOf = (url: string) => new URL(url).host;

async function foreignDatabase(url: string): Promise<Database> {
  try {
    const isSuperuser = await withConnection(url, async sql => {
      const [row] = await sql<{ is: boolean }[]>`select rolsuper as is from pg_roles where rolname = current_user`;
      return row?.is === true;
    });
    if (!isSuperuser)
      throw new StartFailure('DATABASE_URL must name a superuser of a database that is only for Cairn.');
  } catch (error) {
    const code = errorCode(error);
    if (UNREACHABLE.has(code)) {
      throw new StartFailure(`The database of DATABASE_URL at ${placeOf(url)} cannot be reached (${code}).`, {
        cause: error,
      });
    }
    if (/^(28|3D)/.test(code)) {
      throw new StartFailure(`The database of DATABASE_URL at ${placeOf(url)} refuses us (${code}).`, { cause: error });
    }
    throw error;
  }
  return { url, stop: async () => {}, ended: new Promise(() => {}) };
}

type DatabasePlace = {
  folder: string;
  databaseUrl: string | null;
  migrations: string;
  signal: AbortSignal | undefined;
};

/**
 * A database that is ready for the app: the embedded one below `folder`, or the one of DATABASE_URL, prepared and
 * migrated.
 *
 * @param signal gives the start up between two of its steps; nothing is left running then
 * @throws {StartFailure} when it cannot be reached, started or migrated; the signal's reason
 */
export async function openDatabase({ folder, databaseUrl, migrations, signal }: DatabasePlace): Promise<Database> {
  const database = databaseUrl
    ? await foreignDatabase(databaseUrl)
    : await startPostgres({ dataDir: join(folder, 'database') });
  try {
    signal?.throwIfAborted();
    await prepareDatabase(database.url);
    await applyMigrations(database.url, migrations, signal);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}
