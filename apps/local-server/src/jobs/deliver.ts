import type { Sql } from 'postgres';
import { mailOf, pushOf, textOf, type OutgoingNotification } from '@cairn/api/notifications/outgoing.ts';
import type { Log } from '@cairn/supabase-local/log/log.ts';
import { MailFailure, type Mailer } from '@cairn/supabase-local/mail/mailer.ts';
import { SmsFailure, type SmsSender } from '@cairn/supabase-local/sms/sms-sender.ts';
import type { PushSender, PushTarget } from './push-sender.ts';

export type Ways = {
  sql: Sql;
  mailer: Mailer;
  push: PushSender;
  /** Null where no SMS provider is set. */
  sms: SmsSender | null;
  /** Address of the app, for links in mail. */
  site: string;
  log: Log;
};

type Outcome = 'sent' | 'again' | 'failed';

const recordOutcome = (sql: Sql, rows: readonly OutgoingNotification[], outcome: Outcome, error: string | null) =>
  sql`select inbox.record_delivery(${rows.map(row => row.delivery)}::uuid[], ${outcome}, ${error})`;

/** Addresses that exist nowhere (RFC 2606): those of the demo people. */
const isReserved = (address: string): boolean => /(\.|@)(test|example|invalid|localhost)$/i.test(address);

async function sendMail(ways: Ways, rows: Readonly<Mail>): Promise<[Outcome, string | null]> {
  const address = rows[0].email;
  if (!address) return ['failed', 'no address'];
  if (ways.mailer.leaves && isReserved(address)) return ['failed', 'reserved address'];
  try {
    await ways.mailer.send({ to: address, ...mailOf(rows, ways.site) });
    return ['sent', null];
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    // What may have arrived is not sent a second time.
    return [error.kind === 'later' ? 'again' : 'failed', error.kind];
  }
}

/** What makes one mail: one thing told at once, or everything of a person that waited for their digest. */
type Mail = [OutgoingNotification, ...OutgoingNotification[]];

/**
 * Hands out what may go out now, one mail at a time: what a server that dies has in hand is never sent again, so that it has
 * as little as possible in hand.
 */
async function eachMail(
  sql: Sql,
  channel: 'email' | 'push' | 'text',
  send: (mail: Mail) => Promise<void>,
): Promise<void> {
  for (;;) {
    const [first, ...others] = await sql<
      OutgoingNotification[]
    >`select * from inbox.claim(${channel}, p_people => 1, p_one => true)`;
    if (!first) return;
    await send([first, ...others]);
  }
}

/** Sends the mail that may go out now. */
export const deliverMail = (ways: Ways): Promise<void> =>
  eachMail(ways.sql, 'email', async mail => {
    const [outcome, error] = await sendMail(ways, mail);
    await recordOutcome(ways.sql, mail, outcome, error);
  });

async function pushToAll({ sql, push }: Ways, row: OutgoingNotification): Promise<[Outcome, string | null]> {
  const targets = await sql<PushTarget[]>`select * from inbox.push_targets(${row.person})`;
  const outcomes = await Promise.all(
    targets.map(async target => {
      const outcome = await push(target, pushOf(row));
      if (outcome === 'gone') await sql`select inbox.forget_push(${target.endpoint})`;
      return outcome;
    }),
  );
  if (outcomes.includes('sent')) return ['sent', null];
  return outcomes.includes('later') ? ['again', 'later'] : ['failed', outcomes[0] ?? 'no browser'];
}

/** Sends the push messages that may go out now, to every browser of the person. */
export const deliverPush = (ways: Ways): Promise<void> =>
  eachMail(ways.sql, 'push', async rows => {
    for (const row of rows) {
      const [outcome, error] = await pushToAll(ways, row);
      await recordOutcome(ways.sql, [row], outcome, error);
    }
  });

async function sendText(sms: SmsSender, row: OutgoingNotification, site: string): Promise<[Outcome, string | null]> {
  if (row.phone === null) return ['failed', 'no number'];
  try {
    await sms.send({ to: row.phone, text: textOf(row, site) });
    return ['sent', null];
  } catch (error) {
    if (!(error instanceof SmsFailure)) throw error;
    // What may have arrived is not sent a second time.
    return [error.kind === 'later' ? 'again' : 'failed', error.kind];
  }
}

/** Sends the text messages that may go out now; none where no provider is set. */
export async function deliverTexts({ sql, sms, site }: Ways): Promise<void> {
  if (!sms) return;
  await eachMail(sql, 'text', async rows => {
    for (const row of rows) {
      const [outcome, error] = await sendText(sms, row, site);
      await recordOutcome(sql, [row], outcome, error);
    }
  });
}
