import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '@cairn/supabase-local/log/log.ts';
import { createMailer } from '@cairn/supabase-local/mail/mailer.ts';
import { MailOutbox } from '@cairn/supabase-local/mail/mail-outbox.ts';
import { mailPage } from './mail-page.ts';
import { smtpForTests } from '../wire/smtp-for-tests.ts';

const from = 'Cairn <cairn@example.test>';
const root = mkdtempSync(join(tmpdir(), 'cairn-mail-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
let outbox: MailOutbox;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'data-'));
  outbox = new MailOutbox(folder);
});

const here = 'http://127.0.0.1:4310';
const ask = (path: string, { host = '127.0.0.1', at = 'http://127.0.0.1', site = here, headers = {} } = {}) =>
  mailPage(outbox, host, () => site).request(at + path, { headers });

test('without a mail server a mail is kept, readable by its owner only, the latest first', async () => {
  const mailer = createMailer({ smtpUrl: null, from }, outbox, createLog('silent'));
  expect(mailer.leaves).toBe(false);
  await mailer.send({ to: 'ann@example.test', subject: 'First', text: 'One' });
  await mailer.send({ to: 'ann@example.test', subject: 'Second', html: '<p>Two</p>' });
  expect((await outbox.list()).map(mail => mail.subject)).toEqual(['Second', 'First']);
  const files = readdirSync(join(folder, 'outbox'));
  expect(files).toHaveLength(2);
  for (const file of files) expect(statSync(join(folder, 'outbox', file)).mode & 0o777).toBe(0o600);
});

test('the outbox keeps the latest 500', async () => {
  for (let n = 1; n <= 503; n++) await outbox.keep({ to: 'ann@example.test', subject: `Mail ${n}`, text: '-' });
  const subjects = (await outbox.list()).map(mail => mail.subject);
  expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([500, 'Mail 503', 'Mail 4']);
});

test('a mail is shown as text: its words are no page of ours, its links can be followed', async () => {
  await outbox.keep({
    to: 'ann@example.test',
    subject: '<b>Hi</b>',
    html: '<script>1</script><a href="http://h/x?a=1&amp;b=2">go</a>',
  });
  const [mail] = await outbox.list();
  const shown = await (await ask(`/dev/mail/${mail?.id}`)).text();
  expect(shown).toContain('&lt;b&gt;Hi&lt;/b&gt;');
  expect(shown).not.toContain('<script>');
  expect(shown).toContain('<a href="http://h/x?a=1&amp;b=2">');
});

test('the page answers on this machine only, by its own name, and never through a proxy', async () => {
  await outbox.keep({ to: 'ann@example.test', subject: 'Your link', text: 'x' });
  for (const path of ['/dev/mail', '/dev/mail.json']) {
    expect((await ask(path)).status).toBe(200);
    expect((await ask(path, { at: 'http://localhost:4310' })).status).toBe(200);
    expect((await ask(path, { at: 'http://[::1]:4310' })).status).toBe(200);
    expect((await ask(path, { host: '0.0.0.0' })).status).toBe(404);
    expect((await ask(path, { at: 'http://rebound.example' })).status).toBe(404);
    for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Real-IP', 'Via', 'Forwarded'])
      expect((await ask(path, { headers: { [name]: '1.2.3.4' } })).status).toBe(404);
    // A proxy that passes its own name on and says nothing: nginx as it comes.
    expect((await ask(path, { site: 'https://cairn.example' })).status).toBe(404);
  }
  expect((await ask('/dev/mail/../../secrets')).status).toBe(404);
});

test('with a mail server a mail goes out, from our address to the person', async () => {
  const server = await smtpForTests();
  const mailer = createMailer({ smtpUrl: server.url, from }, outbox, createLog('silent'));
  await mailer.send({ to: 'ann@example.test', subject: 'Hello', text: 'Good day' });
  expect(server.taken).toHaveLength(1);
  expect(server.taken[0]).toMatch(/From: Cairn <cairn@example.test>[\s\S]*To: ann@example.test[\s\S]*Good day/);
  expect(await outbox.list()).toEqual([]);
  mailer.close();
  await server.stop();
});

test('a mail server that refuses is an error without the address', async () => {
  const server = await smtpForTests({ answer: 'refuse' });
  const mailer = createMailer({ smtpUrl: server.url, from }, outbox, createLog('silent'));
  const attempt = mailer.send({ to: 'ann@example.test', subject: 'Hello', text: 'Good day' });
  await expect(attempt).rejects.toThrow(/^(?!.*ann@)/);
  mailer.close();
  await server.stop();
});
