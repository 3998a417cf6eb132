import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@cairn/testing/database.ts';

/** Adds a row as the administrator; what is not given has the column's own value for null. @returns its id */
export async function addRow(db: TestDatabase, table: string, fields: Record<string, unknown>): Promise<string> {
  const row: Record<string, unknown> = { id: randomUUID(), ...fields };
  const columns = Object.keys(row).join(', ');
  await db.asAdmin(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`,
    [row],
  );
  return String(row['id']);
}
