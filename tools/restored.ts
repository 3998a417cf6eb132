// npm run restored: tells the database that it was restored from a backup (docs/restore.md).
import { join } from 'node:path';
import { startPostgres } from '@cairn/database/embedded-postgres.ts';
import { withConnection } from '@cairn/database/prepare-database.ts';
import { ROOT } from './root.ts';

const foreign = process.env['DATABASE_URL'];
const folder = process.env['CAIRN_DATA'] ?? join(ROOT, '.cairn');

async function raise(url: string): Promise<void> {
  const raised = await withConnection(url, async sql => {
    const [row] = await sql<{ n: string }[]>`select sync.raise_epochs() as n`;
    return Number(row?.n ?? 0);
  });
  console.log(`${raised} scopes raised: every device reads them anew and sends again what is missing.`);
}

if (foreign) await raise(foreign);
else {
  const database = await startPostgres({ dataDir: join(folder, 'database') });
  try {
    await raise(database.url);
  } finally {
    await database.stop();
  }
}
