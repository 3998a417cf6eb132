import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Caller } from '../access/bearer.ts';
import { isKnownRole } from '../access/bearer.ts';
import { invalidJwt, invalidSignature } from './storage-error.ts';
import type { Target } from './names.ts';

export type UploadRight = { ownerId: string | null; isUpsert: boolean };

/** Who made a link: what they may do is asked again when it is followed. */
type Maker = Caller;

const ALGORITHM = 'HS256';
/** A right to read is none to write: each kind of token is good for its own calls only. */
const READ = 'storage:read';
const WRITE = 'storage:write';

/** What the policies look at; the session itself may have ended, which takes no right away. */
const claimsOf = ({ role, claims }: Maker) => ({ role, sub: claims?.sub, aal: claims?.['aal'] });

function makerIn(payload: JWTPayload): Maker {
  const by: unknown = payload['by'];
  if (typeof by !== 'object' || by === null || !('role' in by) || !isKnownRole(by.role)) throw invalidSignature();
  return { role: by.role, claims: by.role === 'authenticated' ? { ...by } : null };
}

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
    signRead: (target: Target, by: Maker, lifeS: number) =>
      sign({ url: pathOf(target), by: claimsOf(by) }, READ, lifeS),
    /** @returns when the link ends, in seconds since 1970, and who made it. @throws {StorageError} */
    async verifyRead(token: string, target: Target): Promise<{ ends: number; by: Maker }> {
      const payload = await verify(token, READ, target);
      return { ends: payload.exp ?? 0, by: makerIn(payload) };
    },
    signWrite: (target: Target, { ownerId, isUpsert, by }: UploadRight & { by: Maker }, lifeS: number) =>
      sign({ url: pathOf(target), owner: ownerId, upsert: isUpsert, by: claimsOf(by) }, WRITE, lifeS),
    /** @throws {StorageError} */
    async verifyWrite(token: string, target: Target): Promise<UploadRight & { by: Maker }> {
      const payload = await verify(token, WRITE, target);
      const { owner, upsert } = payload;
      return { ownerId: typeof owner === 'string' ? owner : null, isUpsert: upsert === true, by: makerIn(payload) };
    },
  };
}

export type UrlSigner = ReturnType<typeof createUrlSigner>;
