import type { TransactionSql } from 'postgres';
import type { Db, SessionHolder } from './auth-context.ts';
import { AuthError } from './auth-error.ts';

export type Factor = {
  id: string;
  kind: 'totp' | 'phone' | 'webauthn' | 'recovery_code';
  isVerified: boolean;
  name: string;
  /** Sealed; null for recovery codes. */
  secret: string | null;
};

const MAX_FACTORS = 10;

export async function factorsOf(db: Db, userId: string): Promise<Factor[]> {
  return db<Factor[]>`
    select id, factor_type as kind, status = 'verified' as "isVerified", coalesce(friendly_name, '') as name, secret
    from auth.mfa_factors where user_id = ${userId} order by created_at`;
}

export async function isRaised(db: Db, { sessionId }: SessionHolder): Promise<boolean> {
  const [session] = await db<{ aal: string | null }[]>`select aal from auth.sessions where id = ${sessionId}`;
  return session?.aal === 'aal2';
}

/** Nothing for people without a second factor; the others must have used it in this session. */
export async function requireLevel(db: Db, signed: SessionHolder, status: 401 | 403 | 422, message: string) {
  const hasFactor = (await factorsOf(db, signed.userId)).some(factor => factor.isVerified);
  if (hasFactor && !(await isRaised(db, signed))) throw new AuthError(status, 'insufficient_aal', message);
}

/** @throws {AuthError} mfa_factor_name_conflict, too_many_enrolled_mfa_factors, insufficient_aal */
export async function requireFactorSlot(tx: TransactionSql, signed: SessionHolder, name: string): Promise<void> {
  const factors = await factorsOf(tx, signed.userId);
  if (name !== '' && factors.some(factor => factor.name === name)) throw nameTaken(name);
  if (factors.length >= MAX_FACTORS) {
    const words = 'Maximum number of verified factors reached, unenroll to continue';
    throw new AuthError(422, 'too_many_enrolled_mfa_factors', words);
  }
  await requireLevel(tx, signed, 403, 'AAL2 required to enroll a new factor');
}

export const nameTaken = (name: string): AuthError => {
  const words = `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`;
  return new AuthError(422, 'mfa_factor_name_conflict', words);
};

export const factorNotFound = (): AuthError => new AuthError(404, 'mfa_factor_not_found', 'Factor not found');

/**
 * Takes a factor out. Without a verified one left, the person's sessions are ordinary ones again, and recovery codes go. With one
 * left, those raised by the one that goes owe their second step again at once.
 *
 * @param by the session that does it, which keeps its level while another factor is left; null for an administrator
 */
export async function removeFactor(db: Db, userId: string, factorId: string, by: string | null): Promise<void> {
  await db`delete from auth.mfa_factors where id = ${factorId} and user_id = ${userId}`;
  await db`
    delete from auth.mfa_factors f where f.user_id = ${userId} and f.factor_type = 'recovery_code'
      and not exists (select from auth.mfa_factors o where o.user_id = ${userId} and o.status = 'verified'
                      and o.factor_type <> 'recovery_code')`;
  await db`
    update auth.sessions set aal = 'aal1', factor_id = null where user_id = ${userId} and aal = 'aal2'
      and (factor_id = ${factorId} and id is distinct from ${by}::uuid or not exists (
        select from auth.mfa_factors o where o.user_id = ${userId} and o.status = 'verified'))`;
  await db`
    delete from auth.mfa_amr_claims a using auth.sessions s where a.session_id = s.id and s.user_id = ${userId}
      and s.aal = 'aal1' and a.authentication_method in ('totp', 'mfa/recovery_code')`;
}
