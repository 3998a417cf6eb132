import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPushKeys } from './push-keys.ts';
import { createPushSender } from './push-sender.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-push-'));
afterAll(() => rmSync(folder, { recursive: true }));

const send = createPushSender(openPushKeys(folder), 'mailto:admin@example.test');
const message = { id: 'n', title: 'Field', body: 'Words', path: '/field' };
const browser = { endpoint: 'https://fcm.googleapis.com/x', p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };

// Whatever a device hands in: a throw would end the round of everybody whose turn comes after.
test.each([
  ['an address that is none', { endpoint: 'https://[' }],
  ['an address of another machine', { endpoint: 'https://127.0.0.1/x' }],
  ['keys that are no point of the curve', {}],
  ['a secret that is too short', { auth: 'AAAA' }],
])('%s is refused, and throws nothing', async (_, more) => {
  expect(await send({ ...browser, ...more }, message)).toBe('refused');
});
