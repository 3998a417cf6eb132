import { jsonTypes } from './json-encoding.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/** What every pool of connections to the database of the server has in common. @param max connections */
export const poolOptions = (max: number) => ({
  max,
  onnotice: () => {},
  connect_timeout: 10,
  types: jsonTypes,
  connection: {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  },
});
