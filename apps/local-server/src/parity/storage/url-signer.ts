import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { invalidJwt, invalidSignature } from './storage-error.ts';
import type { Target } from './names.ts';

export type UploadRight = { ownerId: string | null; isUpsert: boolean };

const ALGORITHM = 'HS256';
/** A right to read is none to write: each kind of token is good for its own calls only. */
const READ = 'storage:read';
const WRITE = 'storage:write';

const pathOf = ({ bucket, name }: Target) => `${bucket}/${name}`;

/** Links that stand for one object for a while; the key is derived, so that no link is good as anything else. */
export function createUrlSigner(secret: string) {
  const key = createHmac('sha256', secret).update('storage links').digest();

  const sign = (claims: Record<string, unknown>, audience: string, lifeS: number) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM })
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + lifeS)
      .sign(key);

  async function verify(token: string, audience: string, target: Target) {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], audience });
      if (payload['url'] !== pathOf(target)) throw invalidSignature();
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw invalidJwt(error.message);
      throw error;
    }
  }

  return {
    /** @param lifeS seconds */
    signRead: (target: Target, lifeS: number) => sign({ url: pathOf(target) }, READ, lifeS),
    /** @returns when the link ends, in seconds since 1970. @throws {StorageError} */
    async verifyRead(token: string, target: Target): Promise<number> {
      return (await verify(token, READ, target)).exp ?? 0;
    },
    signWrite: (target: Target, { ownerId, isUpsert }: UploadRight, lifeS: number) =>
      sign({ url: pathOf(target), owner: ownerId, upsert: isUpsert }, WRITE, lifeS),
    /** @throws {StorageError} */
    async verifyWrite(token: string, target: Target): Promise<UploadRight> {
      const { owner, upsert } = await verify(token, WRITE, target);
      return { ownerId: typeof owner === 'string' ? owner : null, isUpsert: upsert === true };
    },
  };
}

export type UrlSigner = ReturnType<typeof createUrlSigner>;
