import type { TransactionSql } from 'postgres';

/** ms one statement of a person may take, as on a hosted project; the server's own calls keep what the connection has. */
export const STATEMENT_TIMEOUT_MS = 8_000;

/** For the statements of this transaction that come after it. */
export async function boundStatements(tx: TransactionSql): Promise<void> {
  await tx`select set_config('statement_timeout', ${`${STATEMENT_TIMEOUT_MS}`}, true)`;
}
