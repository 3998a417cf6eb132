import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log/log.ts';
import { SmsFailure } from './sms-sender.ts';
import { readSmsSettings, type TwilioSettings } from './sms-settings.ts';
import { twilioSender } from './twilio.ts';

type RecordedRequest = { method: string; path: string; headers: IncomingHttpHeaders; form: Record<string, string> };

const ACCOUNT = `AC${'0a'.repeat(16)}`;
const KEY = 'f'.repeat(32);
const asked: RecordedRequest[] = [];
let answer: { status: number; body: string } | 'hang up' = { status: 201, body: '{}' };
let service: Server;
let settings: TwilioSettings;

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, form: Object.fromEntries(new URLSearchParams(body)) });
      if (answer === 'hang up') request.socket.destroy();
      else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  settings = { provider: 'twilio', accountSid: ACCOUNT, authToken: KEY, from: '+15550001111', url };
});
afterAll(() => service.close());
beforeEach(() => {
  asked.length = 0;
  answer = { status: 201, body: JSON.stringify({ sid: 'SM1', status: 'queued' }) };
});

const log = createLog('silent');
const sms = { to: '4915112345678', text: 'Your code: ä & 123456' };
const failureOf = (from: TwilioSettings) =>
  twilioSender(from, log)
    .send(sms)
    .then(
      () => null,
      (error: unknown) => error,
    );

test("a text message is a POST to the account's messages, with its key as basic authorization and a form", async () => {
  await twilioSender(settings, log).send(sms);
  const [{ method, path, headers, form } = {} as RecordedRequest] = asked;
  expect(asked).toHaveLength(1);
  expect([method, path]).toEqual(['POST', `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`]);
  expect(headers.authorization).toBe(`Basic ${btoa(`${ACCOUNT}:${KEY}`)}`);
  expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect(form).toEqual({ To: '+4915112345678', From: '+15550001111', Body: 'Your code: ä & 123456' });
});

test('a messaging service is named as one', async () => {
  const from = `MG${'1b'.repeat(16)}`;
  await twilioSender({ ...settings, from }, log).send(sms);
  expect(asked[0]?.form).toEqual({ To: '+4915112345678', MessagingServiceSid: from, Body: sms.text });
});

test.each([
  [{ status: 400, body: '{"code":21211,"message":"not a number: +4915112345678"}' }, 'refused'],
  [{ status: 401, body: '{"code":20003}' }, 'refused'],
  [{ status: 429, body: '{}' }, 'later'],
  // It may have been taken before: at most once.
  [{ status: 503, body: 'no JSON' }, 'unknown'],
  ['hang up', 'unknown'],
] as const)('an answer %o is told as "%s", without number, key or text', async (given, kind) => {
  answer = given;
  const failure = await failureOf(settings);
  expect(failure).toBeInstanceOf(SmsFailure);
  expect(failure).toMatchObject({ kind });
  expect(JSON.stringify([failure, String(failure)])).not.toMatch(/4915112345678|ffff|123456/);
});

test('a provider that cannot be reached has taken nothing', async () => {
  const closed = createServer();
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise(resolve => closed.close(resolve));
  expect(await failureOf({ ...settings, url: `http://127.0.0.1:${port}` })).toMatchObject({ kind: 'later' });
});

test('no provider is the default; one that is half set stops the start, and no message repeats a key', () => {
  expect(readSmsSettings({})).toEqual({ provider: 'none' });
  expect(readSmsSettings({ CAIRN_SMS: 'local' })).toEqual({ provider: 'local' });
  const whole = {
    CAIRN_SMS: 'twilio',
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: KEY,
    TWILIO_FROM: '+15550001111',
  };
  expect(readSmsSettings(whole)).toEqual({ ...settings, url: 'https://api.twilio.com' });
  for (const [name, value] of [
    ['CAIRN_SMS', 'pigeon'],
    ['TWILIO_ACCOUNT_SID', 'xyzzy'],
    ['TWILIO_AUTH_TOKEN', 'xyzzy'],
    ['TWILIO_FROM', 'xyzzy'],
    ['TWILIO_API_URL', 'http://xyzzy.example'],
  ] as const) {
    expect(() => readSmsSettings({ ...whole, [name]: value })).toThrow(name);
    expect(() => readSmsSettings({ ...whole, [name]: value })).not.toThrow(/xyzzy|ffff/);
  }
});
