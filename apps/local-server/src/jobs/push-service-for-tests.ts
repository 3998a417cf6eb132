import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import webPush from 'web-push';
import type { PushTarget } from './push-sender.ts';

type Browser = { curve: ECDH; auth: Buffer; received: unknown[] };

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** What a browser does with a message (RFC 8291, one record): salt 16, record size 4, key length 1, key, ciphertext. */
function decrypt(body: Buffer, { curve, auth }: Browser): string {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + body.readUInt8(20);
  const serverKey = body.subarray(21, keyEnd);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), serverKey]);
  const secret = derive(curve.computeSecret(serverKey), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv('aes-128-gcm', key, derive(secret, salt, 'Content-Encoding: nonce\0', 12));
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

/** A push service with browsers behind it that can read what is meant for them; one named `gone` is there no more. */
export async function pushServiceForTests() {
  const browsers = new Map<string, Browser>();
  const raw: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(body => {
      const browser = browsers.get(request.url?.slice(1) ?? '');
      raw.push(body.toString('latin1'));
      if (!browser || request.url === '/gone') return response.writeHead(410).end();
      browser.received.push(JSON.parse(decrypt(body, browser)));
      return response.writeHead(201).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    vapid: webPush.generateVAPIDKeys(),
    /** What came over the wire. */
    raw,
    browser(name: string): PushTarget {
      const curve = createECDH('prime256v1');
      const p256dh = curve.generateKeys('base64url');
      const auth = randomBytes(16);
      browsers.set(name, { curve, auth, received: [] });
      return { endpoint: `${url}/${name}`, p256dh, auth: auth.toString('base64url') };
    },
    received: (name: string) => browsers.get(name)?.received ?? [],
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}
