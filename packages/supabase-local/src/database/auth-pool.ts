import postgres, { type Sql } from 'postgres';
import { poolOptions } from './pool-options.ts';

const POOL_SIZE = 6;
/** Nobody holds an account for longer but by mistake, or to keep others waiting. */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * Connections for signing in and for accounts, apart from those of all other requests: whoever makes an account wait, theirs or by many
 * sign-ins, keeps nobody from their work. Runs as superuser.
 */
export function openAuthPool(databaseUrl: string): Sql {
  const { connection, ...options } = poolOptions(POOL_SIZE);
  return postgres(databaseUrl, { ...options, connection: { ...connection, lock_timeout: LOCK_TIMEOUT_MS } });
}
