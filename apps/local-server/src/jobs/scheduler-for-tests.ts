import postgres from 'postgres';
import { createLog } from '@cairn/supabase-local/log/log.ts';
import { createMailer } from '@cairn/supabase-local/mail/mailer.ts';
import { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import { createPushSender } from './push-sender.ts';
import { startScheduler, type Pace } from './scheduler.ts';

/** As often as cron allows, so that a test sees much of it in a short life. */
export const EACH_SECOND: Pace = { told: '* * * * * *', out: '* * * * * *', rest: '23 17 * * * *' };

/** The scheduler of a server on a database and a mail server. */
export async function runScheduler(databaseUrl: string, smtpUrl: string): Promise<() => Promise<void>> {
  const log = createLog('silent');
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => {} });
  const mailer = createMailer({ smtpUrl, from: 'C <c@c.example.org>' }, new MailOutbox('unused'), log);
  const push = createPushSender({ publicKey: '', privateKey: '' }, 'mailto:a@b', () => false);
  const ways = { sql, mailer, push, sms: null, site: 'https://cairn.example', log };
  const stop = await startScheduler(ways, () => Promise.resolve(), EACH_SECOND);
  return async () => {
    await stop();
    mailer.close();
    await sql.end();
  };
}

// As a process of its own, to be killed: node scheduler-for-tests.ts DATABASE SMTP
const [, file, databaseUrl, smtpUrl] = process.argv;
if (import.meta.filename === file && databaseUrl !== undefined && smtpUrl !== undefined) {
  await runScheduler(databaseUrl, smtpUrl);
  process.stdout.write('running\n');
}
