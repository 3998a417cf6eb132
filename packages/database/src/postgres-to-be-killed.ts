import { withConnection } from './prepare-database.ts';
import { startPostgres } from './embedded-postgres.ts';

/** Run by a test as a process of its own: starts Postgres, writes one row, says so and dies without a goodbye. */
const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error('postgres-to-be-killed: no data folder given');
const { url } = await startPostgres({ dataDir });
await withConnection(url, sql => sql.unsafe('create table kept as select 42 as answer'));
process.kill(process.pid, 'SIGKILL');
