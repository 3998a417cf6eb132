import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { createLog } from '@cairn/supabase-local/log/log.ts';
import { createMailer } from '@cairn/supabase-local/mail/mailer.ts';
import { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import { createPushSender } from './push-sender.ts';
import { startScheduler } from './scheduler.ts';

let db: TestDatabase;
let sql: Sql;
const root = mkdtempSync(join(tmpdir(), 'cairn-scheduler-'));

beforeAll(async () => {
  db = await freshDatabase();
  sql = postgres(db.url, { max: 4, onnotice: () => {} });
});
afterAll(async () => {
  await sql.end();
  await db.drop();
  rmSync(root, { recursive: true, force: true });
});

test('what fell due while no server ran is told as soon as one does, of tasks as well', async () => {
  const ann = await db.person('ann@mail.example.org');
  await sql`
    insert into tasks (organization_id, title, created_by, assignee_id, due_day, due_zone)
    select id, 'Call the vendor', ${ann}, ${ann}, current_date - 2, 'UTC' from organizations where created_by = ${ann}`;
  const log = createLog('silent');
  const stop = await startScheduler(
    {
      sql,
      mailer: createMailer({ smtpUrl: null, from: 'C <c@c>' }, new MailOutbox(root), log),
      push: createPushSender({ publicKey: '', privateKey: '' }, 'mailto:a@b', () => false),
      sms: null,
      site: 'https://cairn.example',
      log,
    },
    () => Promise.resolve(),
  );
  const told = async () => (await sql`select type from notifications where user_id = ${ann}`).map(row => row['type']);
  await expect.poll(told).toEqual(['task.overdue']);
  await stop();
});
