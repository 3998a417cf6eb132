import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { createLog } from '@cairn/supabase-local/log/log.ts';
import type { Mail } from '@cairn/supabase-local/mail/mail.ts';
import { createMailer, MailFailure, type Mailer } from '@cairn/supabase-local/mail/mailer.ts';
import { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import { smtpForTests } from '../wire/smtp-for-tests.ts';
import { createPushSender } from './push-sender.ts';
import { pushServiceForTests } from './push-service-for-tests.ts';
import { SmsFailure, type SmsSender } from '@cairn/supabase-local/sms/sms-sender.ts';
import { deliverMail, deliverPush, deliverTexts, type Ways } from './deliver.ts';

let db: TestDatabase;
let sql: Sql;
let ann: string;
const root = mkdtempSync(join(tmpdir(), 'cairn-deliver-'));
const log = createLog('silent');
const site = 'https://cairn.example';
const noPush = createPushSender({ publicKey: '', privateKey: '' }, 'mailto:a@b', () => false);

beforeAll(async () => {
  db = await freshDatabase();
  sql = postgres(db.url, { max: 4, onnotice: () => {} });
  ann = await db.person('ann@mail.example.org');
});
afterAll(async () => {
  await sql.end();
  await db.drop();
  rmSync(root, { recursive: true, force: true });
});
afterEach(() => sql`delete from notifications`);

const tell = (key: string, type = 'action.assigned', title = 'Mend the brake') =>
  sql`select inbox.notify(${ann}, ${type}, ${key}, '/action-items/1', ${sql.json({ title, by: 'Bob' })})`;
/** Time passes for everything that waits. */
const later = () => sql`update inbox.delivery set due_at = now() where state = 'waiting'`;
const states = async () => (await sql`select state from inbox.delivery order by created_at`).map(row => row['state']);

describe('mail', () => {
  let outbox: MailOutbox;
  let ways: Ways;
  beforeEach(() => {
    outbox = new MailOutbox(mkdtempSync(join(root, 'data-')));
    ways = {
      sql,
      mailer: createMailer({ smtpUrl: null, from: 'C <c@c>' }, outbox, log),
      push: noPush,
      sms: null,
      site,
      log,
    };
  });

  test('a digest is one mail with everything that waited, and goes once, whoever asks how often', async () => {
    await tell('a');
    await tell('b', 'inspection.failed', 'Stapler 3');
    await deliverMail(ways);
    expect(await outbox.list()).toEqual([]);
    await later();
    await Promise.all([deliverMail(ways), deliverMail(ways), deliverMail(ways)]);
    const mails = await outbox.list();
    expect(mails.map(mail => [mail.to, mail.subject])).toEqual([
      ['ann@mail.example.org', 'You have 2 new notifications in Cairn'],
    ]);
    expect(mails[0]?.text).toMatch(
      /Bob assigned “Mend the brake” to you\n {2}https:\/\/cairn.example\/action-items\/1[\s\S]*Stapler 3/,
    );
    expect(await states()).toEqual(['sent', 'sent']);
  });

  test('what was read before its digest is not in it', async () => {
    await tell('a');
    await tell('b', 'inspection.failed', 'Stapler 3');
    await sql`update notifications set is_read = true where key = 'a'`;
    await later();
    await deliverMail(ways);
    const [mail] = await outbox.list();
    expect([mail?.subject, mail?.text?.includes('brake')]).toEqual(['You have 1 new notification in Cairn', false]);
  });

  test('what is told at once is a mail each', async () => {
    await tell('a', 'action.critical');
    await tell('b', 'action.critical', 'Mend the other brake');
    await deliverMail(ways);
    expect((await outbox.list()).map(mail => mail.subject).toSorted()).toEqual([
      'Critical: Bob assigned “Mend the brake” to you',
      'Critical: Bob assigned “Mend the other brake” to you',
    ]);
  });

  const failing = (kind: MailFailure['kind']): Mailer => ({
    leaves: true,
    send: () => Promise.reject(new MailFailure(kind)),
    close: () => {},
  });

  test.each([
    ['later', 'waiting'],
    ['refused', 'failed'],
    // It may have arrived: at most once.
    ['unknown', 'failed'],
  ] as const)('a mail server that fails as "%s" leaves the mail %s', async (kind, state) => {
    await tell('a', 'action.critical');
    await deliverMail({ ...ways, mailer: failing(kind) });
    expect(await states()).toEqual([state]);
  });

  test('addresses of the demo people, which exist nowhere, are not sent to', async () => {
    const demo = await db.person(`${randomUUID()}@demo.cairn.test`);
    await sql`select inbox.notify(${demo}, 'action.critical', 'x', '/tasks')`;
    const sent: Mail[] = [];
    const mailer: Mailer = { leaves: true, send: mail => Promise.resolve(void sent.push(mail)), close: () => {} };
    await deliverMail({ ...ways, mailer });
    expect([sent, await states()]).toEqual([[], ['failed']]);
  });

  test('a mail server that is away, one that says no and one that hangs up are told apart', async () => {
    const kindOf = async (smtpUrl: string) => {
      const mailer = createMailer({ smtpUrl, from: 'C <c@c>' }, outbox, log);
      const failure = await mailer.send({ to: 'ann@mail.example.org', subject: 's', text: 't' }).then(
        () => null,
        (error: unknown) => error,
      );
      mailer.close();
      return failure instanceof MailFailure ? failure.kind : failure;
    };
    const refusing = await smtpForTests({ answer: 'refuse' });
    const dying = await smtpForTests({ answer: 'die' });
    expect(await kindOf(refusing.url)).toBe('refused');
    expect(await kindOf(dying.url)).toBe('unknown');
    await Promise.all([refusing.stop(), dying.stop()]);
    expect(await kindOf(dying.url)).toBe('later');
  });
});

describe('push', () => {
  test('a message reaches the browser, encrypted for it alone; a browser that is gone is forgotten', async () => {
    const service = await pushServiceForTests();
    const push = createPushSender(service.vapid, 'mailto:c@c.example', endpoint => endpoint.startsWith(service.url));
    const mailer: Mailer = { leaves: false, send: () => Promise.resolve(), close: () => {} };
    const ways = { sql, mailer, push, sms: null, site, log };
    const browsers = [service.browser('phone'), service.browser('desk'), service.browser('gone')];
    for (const { endpoint, p256dh, auth } of browsers)
      await sql`insert into inbox.push_subscription (endpoint, user_id, p256dh, auth) values (${endpoint}, ${ann}, ${p256dh}, ${auth})`;
    await tell('a');
    await Promise.all([deliverPush(ways), deliverPush(ways)]);
    expect(service.received('phone')).toEqual([
      expect.objectContaining({
        title: 'Corrective Actions',
        body: 'Bob assigned “Mend the brake” to you',
        path: '/action-items/1',
      }),
    ]);
    expect(service.received('desk')).toHaveLength(1);
    expect(service.raw.join('')).not.toContain('brake');
    const left = await sql`select endpoint from inbox.push_subscription order by 1`;
    expect(left.map(row => String(row['endpoint']).split('/').at(-1))).toEqual(['desk', 'phone']);
    await service.stop();
  });

  test('no address but those of the known push services is called', async () => {
    const push = createPushSender({ publicKey: '', privateKey: '' }, 'mailto:c@c.example');
    const target = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) };
    const message = { id: '1', title: 't', body: 'b', path: '/' };
    for (const endpoint of [
      'http://127.0.0.1:5432/',
      'https://fcm.googleapis.com.evil.example/x',
      'http://fcm.googleapis.com/x',
    ])
      expect(await push({ endpoint, ...target }, message)).toBe('refused');
  });
});

describe('text messages', () => {
  const sent: { to: string; text: string }[] = [];
  const sender = (send: SmsSender['send']): SmsSender => ({ name: 'test', leaves: true, send });
  const taking = sender(sms => Promise.resolve(void sent.push(sms)));
  const mailer = createMailer({ smtpUrl: null, from: 'C <c@c>' }, new MailOutbox(join(root, 'unused')), log);
  const texts = (sms: SmsSender | null = taking) => deliverTexts({ sql, mailer, push: noPush, sms, site, log });
  const wants = (value: boolean) => sql`
    insert into user_preferences (user_id, text_notifications) values (${ann}, ${value})
    on conflict (user_id) do update set text_notifications = excluded.text_notifications`;
  const number = (phone: string | null, confirmed = true) => sql`
    update auth.users set phone = ${phone}, phone_confirmed_at = case when ${confirmed} then now() end where id = ${ann}`;
  const ofTexts = async () =>
    (await sql`select state, error from inbox.delivery where channel = 'text'`).map(row => [
      row['state'],
      row['error'],
    ]);

  beforeEach(async () => {
    sent.length = 0;
    await sql`select inbox.set_text(true)`;
    await wants(true);
    await number('4915112345678');
  });

  test('R3.16 what is told at once goes to the confirmed number of who chose text messages, once', async () => {
    await tell('a');
    await later();
    await Promise.all([texts(), texts(), texts()]);
    expect(sent).toEqual([
      { to: '4915112345678', text: 'Cairn: Bob assigned “Mend the brake” to you https://cairn.example/action-items/1' },
    ]);
    expect(await ofTexts()).toEqual([['sent', null]]);
  });

  test.each([
    ['who did not choose them', () => wants(false)],
    ['a number nobody confirmed', () => number('4915112345678', false)],
    ['an account without a number', () => number(null)],
    ['a server without a provider', () => sql`select inbox.set_text(false)`],
    [
      'what they are told once a day',
      () => sql`insert into notification_choices (id, user_id, type, channel, cadence)
        values (gen_random_uuid(), ${ann}, 'action.assigned', 'push', 'daily')`,
    ],
  ] as const)('R3.16 %s: no text message, safety included but for the last', async (what, arrange) => {
    await arrange();
    await tell('a');
    await tell('b', 'action.critical');
    await later();
    await texts();
    await sql`delete from notification_choices`;
    expect(sent).toHaveLength(what === 'what they are told once a day' ? 1 : 0);
  });

  test.each([
    ['the choice', () => wants(false)],
    ['the number', () => number(null)],
    ['the provider', () => sql`select inbox.set_text(false)`],
  ] as const)('R3.16 without %s what still waits is not sent', async (_, arrange) => {
    await tell('a');
    await arrange();
    await sql`select inbox.set_text(true)`;
    await later();
    await texts();
    expect([sent, await ofTexts()]).toEqual([[], [['cancelled', null]]]);
  });

  test('one person is sent ten in ten minutes and thirty a day; what is more stands in the app', async () => {
    const texts = async () => (await sql`select id from inbox.delivery where channel = 'text'`).length;
    for (const most of [10, 20, 30, 30]) {
      for (let n = 0; n < 11; n += 1) await tell(`${most} ${n} ${Math.random()}`);
      expect(await texts()).toBe(most);
      await sql`update inbox.delivery set created_at = created_at - interval '11 minutes'`;
    }
  });

  test('all together are sent three hundred in an hour', async () => {
    await tell('first');
    await sql`
      insert into notifications (user_id, type, module, key, path)
      select ${ann}, 'action.assigned', 'actions', 'earlier ' || n, '/' from generate_series(1, 299) n`;
    await sql`
      insert into inbox.delivery (notification_id, user_id, channel, cadence, due_at, created_at)
      select n.id, ${ann}, 'text', 'immediate', now(), now() - interval '59 minutes' from notifications n where n.key like 'earlier %'`;
    // Not Ann's: it is all together who have had so many.
    const bob = await db.person('bob@mail.example.org');
    await sql`update inbox.delivery set user_id = ${bob} where channel = 'text'`;
    const texts = async () =>
      (await sql`select id from inbox.delivery where channel = 'text' and user_id = ${ann}`).length;
    await tell('one more');
    expect(await texts()).toBe(0);
    await sql`update inbox.delivery set created_at = created_at - interval '2 minutes'`;
    await tell('later');
    expect(await texts()).toBe(1);
  });

  test('it waits two minutes for the person to see it in the app, and for the end of quiet hours', async () => {
    await tell('a');
    await texts();
    expect(sent).toEqual([]);
    await sql`update notifications set is_read = true`;
    await later();
    await texts();
    expect([sent, await ofTexts()]).toEqual([[], [['cancelled', null]]]);
    await sql`update user_preferences set quiet_hours_enabled = true, quiet_hours_start = '00:00', quiet_hours_end = '23:59'`;
    await tell('b');
    const [row] = await sql`
      select due_at at time zone 'UTC' as due from inbox.delivery where channel = 'text' and state = 'waiting'`;
    expect(new Date(String(row?.['due'])).getMinutes()).toBe(59);
    await sql`update user_preferences set quiet_hours_enabled = false`;
  });

  test.each([
    ['later', 'waiting'],
    ['refused', 'failed'],
    ['unknown', 'failed'],
  ] as const)('a provider that fails as "%s" leaves the message %s', async (kind, state) => {
    await tell('a', 'action.critical');
    await texts(sender(() => Promise.reject(new SmsFailure(kind))));
    expect((await ofTexts()).map(([first]) => first)).toEqual([state]);
  });
});
