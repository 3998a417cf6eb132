import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';

/** A private P-256 key with its name, as it lies in the data folder. */
export type SigningKey = JWK & { kid: string };

export type SigningKeys = {
  /** @param lifeS seconds until the token expires */
  sign(claims: JWTPayload, lifeS: number): Promise<string>;
  /** @throws {JOSEError} when the token is not one of ours or has expired */
  verify(token: string): Promise<JWTPayload>;
  /** What anybody may know: the public half. */
  jwks: { keys: Record<string, unknown>[] };
};

const ALGORITHM = 'ES256';

export function makeSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID() };
}

/** Tokens are signed with this key and no other algorithm is accepted (docs/decisions/17-auth-server.md). */
export function createSigningKeys({ kid, ...jwk }: SigningKey): SigningKeys {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = createPublicKey(privateKey);
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  return {
    sign: (claims, lifeS) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime(`${lifeS}s`)
        .sign(privateKey),
    async verify(token) {
      const { payload } = await jwtVerify(token, publicKey, { algorithms: [ALGORITHM] });
      return payload;
    },
    jwks: { keys: [{ alg: ALGORITHM, crv, ext: true, key_ops: ['verify'], kid, kty, use: 'sig', x, y }] },
  };
}
