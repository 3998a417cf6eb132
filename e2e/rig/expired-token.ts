import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

type Key = JsonWebKey & { kid: string };

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token as the server signs them, of this person, that ran out an hour ago. */
export function expiredToken(server: ServerProcess, userId: string): string {
  const secrets = JSON.parse(readFileSync(join(server.data, 'secrets.json'), 'utf8')) as { signingKey: Key };
  const { kid, ...jwk } = secrets.signingKey;
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: userId, role: 'authenticated', aud: 'authenticated', iat: now - 7200, exp: now - 3600 };
  const signed = `${part({ alg: 'ES256', kid, typ: 'JWT' })}.${part(claims)}`;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
