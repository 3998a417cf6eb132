import { randomInt, randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import type { TransactionSql } from 'postgres';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { textIn } from '../body.ts';
import { factorsOf, isRaised, nameTaken, removeFactor, requireFactorSlot } from '../factors.ts';
import { raiseSession } from '../sessions.ts';
import { lockAccount } from '../users.ts';

const CODES = 10;
/** Without the signs that are easily mistaken for others. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 12 signs of 31: 59 bits, so that a fast keyed hash is enough. */
const SIGNS = 12;
const GROUP = 4;
const MAX_FAILURES = 5;
const LOCK_MINUTES = 15;
const NAME = 'Recovery codes';

function newCode(): string {
  const signs = Array.from({ length: SIGNS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return Array.from({ length: SIGNS / GROUP }, (_, at) => signs.slice(at * GROUP, (at + 1) * GROUP).join('')).join('-');
}

const plain = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '');
const hashOf = ({ vault }: Auth, code: string) => vault.mark('recovery code', plain(code)).toString('hex');

type CodeSet = { id: string; factorId: string; failures: number; isLocked: boolean; total: number; remaining: number };

async function setOf(db: Auth['sql'] | TransactionSql, userId: string): Promise<CodeSet | null> {
  const [set] = await db<CodeSet[]>`
    select s.id, s.mfa_factor_id as "factorId", s.failed_verification_count as failures,
           coalesce(s.verification_locked_until > now(), false) as "isLocked",
           count(c.id)::int as total, (count(c.id) filter (where c.consumed_at is null))::int as remaining
    from auth.mfa_recovery_code_sets s left join auth.mfa_recovery_codes c on c.set_id = s.id
    where s.user_id = ${userId} group by s.id`;
  return set ?? null;
}

const notEnrolled = () => new AuthError(404, 'mfa_factor_not_found', 'The user has not enrolled recovery codes');

async function requireRaised(auth: Auth, c: AuthRequest, what: string): Promise<void> {
  if (await isRaised(auth.sql, c.get('signed'))) return;
  throw new AuthError(403, 'insufficient_aal', `AAL2 required to ${what} recovery codes`);
}

async function fill(auth: Auth, tx: TransactionSql, setId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx`delete from auth.mfa_recovery_codes where set_id = ${setId}`;
  for (const code of codes)
    await tx`insert into auth.mfa_recovery_codes (set_id, code_hash) values (${setId}, ${hashOf(auth, code)})`;
  return codes;
}

async function status(auth: Auth, c: AuthRequest): Promise<Response> {
  const set = await setOf(auth.sql, c.get('signed').userId);
  if (!set) throw notEnrolled();
  return c.json({ id: set.factorId, type: 'recovery_code', total: set.total, remaining: set.remaining });
}

async function generate(auth: Auth, c: AuthRequest): Promise<Response> {
  const signed = c.get('signed');
  const name = textIn(c.get('body'), 'friendly_name') ?? NAME;
  await requireRaised(auth, c, 'generate');
  if (await setOf(auth.sql, signed.userId)) {
    const words = 'Recovery codes are already enrolled for this user, use regenerate to rotate them';
    throw new AuthError(422, 'mfa_verified_factor_exists', words);
  }
  if (!(await factorsOf(auth.sql, signed.userId)).some(factor => factor.isVerified)) {
    const words = 'At least one other verified factor is required to generate recovery codes';
    throw new AuthError(422, 'mfa_recovery_codes_sole_factor', words);
  }
  const [factorId, setId] = [randomUUID(), randomUUID()];
  const codes = await auth.sql.begin(async tx => {
    await lockAccount(tx, signed.userId);
    await requireFactorSlot(tx, signed, name);
    const made = await tx`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
      values (${factorId}, ${signed.userId}, ${name}, 'recovery_code', 'verified') on conflict do nothing returning id`;
    if (made.length === 0) throw nameTaken(name);
    await tx`
      insert into auth.mfa_recovery_code_sets (id, user_id, mfa_factor_id)
      values (${setId}, ${signed.userId}, ${factorId})`;
    await audit(tx, 'recovery_codes_generated', signed.userId, addressOf(c), { factor_id: factorId });
    return fill(auth, tx, setId);
  });
  return c.json({ id: factorId, type: 'recovery_code', friendly_name: name, total: codes.length, codes });
}

async function regenerate(auth: Auth, c: AuthRequest): Promise<Response> {
  const { userId } = c.get('signed');
  await requireRaised(auth, c, 'regenerate');
  // Each is ten rows, and one of the log.
  auth.limits.count('change', addressOf(c), userId);
  const set = await setOf(auth.sql, userId);
  if (!set) throw notEnrolled();
  const codes = await auth.sql.begin(async tx => {
    await tx`
      update auth.mfa_recovery_code_sets set failed_verification_count = 0, verification_locked_until = null
      where id = ${set.id}`;
    await audit(tx, 'recovery_codes_generated', userId, addressOf(c), { factor_id: set.factorId });
    return fill(auth, tx, set.id);
  });
  return c.json({ id: set.factorId, type: 'recovery_code', total: codes.length, codes });
}

const wrongCode = () => new AuthError(422, 'mfa_verification_failed', 'Invalid recovery code entered');

/** @returns the refusal, so that what was counted stays counted */
async function redeem(auth: Auth, tx: TransactionSql, userId: string, code: string): Promise<CodeSet | AuthError> {
  await tx`select from auth.mfa_recovery_code_sets where user_id = ${userId} for update`;
  const set = await setOf(tx, userId);
  if (!set) return wrongCode();
  const words = 'Too many failed verification attempts, try again later';
  if (set.isLocked) return new AuthError(429, 'mfa_recovery_codes_locked', words, { retryAfterS: LOCK_MINUTES * 60 });
  const used = await tx`
    update auth.mfa_recovery_codes set consumed_at = now()
    where set_id = ${set.id} and code_hash = ${hashOf(auth, code)} and consumed_at is null returning id`;
  const failures = used.length > 0 ? 0 : (set.failures % MAX_FAILURES) + 1;
  await tx`
    update auth.mfa_recovery_code_sets set failed_verification_count = ${failures},
      verification_locked_until = case when ${failures}::int >= ${MAX_FAILURES}::int
        then now() + make_interval(mins => ${LOCK_MINUTES}) end
    where id = ${set.id}`;
  return used.length > 0 ? set : wrongCode();
}

async function verify(auth: Auth, c: AuthRequest): Promise<Response> {
  const signed = c.get('signed');
  const code = textIn(c.get('body'), 'code') ?? '';
  if (plain(code) === '') throw invalid('Code needs to be non-empty');
  const answer = await auth.sql.begin(async tx => {
    const set = await redeem(auth, tx, signed.userId, code);
    if (set instanceof AuthError) return set;
    await audit(tx, 'recovery_codes_verified', signed.userId, addressOf(c), { factor_id: set.factorId });
    return raiseSession(auth, tx, signed, 'mfa/recovery_code', set.factorId);
  });
  if (answer instanceof AuthError) throw answer;
  return c.json(answer);
}

async function remove(auth: Auth, c: AuthRequest): Promise<Response> {
  const { userId, sessionId } = c.get('signed');
  await requireRaised(auth, c, 'delete');
  const set = await setOf(auth.sql, userId);
  if (!set) throw notEnrolled();
  await auth.sql.begin(async tx => {
    await removeFactor(tx, userId, set.factorId, sessionId);
    await audit(tx, 'recovery_codes_deleted', userId, addressOf(c), { factor_id: set.factorId });
  });
  return c.json({ id: set.factorId });
}

/** As the client library calls it behind `experimental.recoveryCodes`. */
export function addRecoveryCodes(app: Hono<AuthVariables>, auth: Auth): void {
  app.get('/factors/recovery-codes', c => status(auth, c));
  app.post('/factors/recovery-codes', c => generate(auth, c));
  app.post('/factors/recovery-codes/verify', c => verify(auth, c));
  app.post('/factors/recovery-codes/regenerate', c => regenerate(auth, c));
  app.delete('/factors/recovery-codes', c => remove(auth, c));
}
