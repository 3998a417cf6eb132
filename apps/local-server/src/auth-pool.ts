import postgres, { type Sql } from 'postgres';
import { jsonTypes } from './hardening/json-encoding.ts';

const POOL_SIZE = 6;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Nobody holds an account for longer but by mistake, or to keep others waiting. */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * Connections for signing in and for accounts, apart from those of all other requests: whoever makes an account wait, theirs or by many
 * sign-ins, keeps nobody from their work. Runs as superuser.
 */
export const openAuthPool = (databaseUrl: string): Sql =>
  postgres(databaseUrl, {
    max: POOL_SIZE,
    onnotice: () => {},
    connect_timeout: 10,
    types: jsonTypes,
    connection: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    },
  });
