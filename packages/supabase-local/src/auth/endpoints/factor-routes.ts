import { randomUUID } from 'node:crypto';
import { errorCode } from '@cairn/database/error-code.ts';
import type { Hono } from 'hono';
import { Secret, TOTP } from 'otpauth';
import type { TransactionSql } from 'postgres';
import { renderSVG } from 'uqr';
import { audit } from '../audit.ts';
import { addressOf, type Auth, type AuthRequest, type AuthVariables, type Db } from '../auth-context.ts';
import { AuthError, invalid } from '../auth-error.ts';
import { isUuid, lockSignedIn } from '../auth-gate.ts';
import { requireText, textIn } from '../body.ts';
import {
  factorNotFound,
  factorsOf,
  nameTaken,
  removeFactor,
  requireLevel,
  requireFactorSlot,
  type Factor,
} from '../factors.ts';
import { dropLinking } from '../flow-states.ts';
import { raiseSession, type TokenAnswer } from '../sessions.ts';
import { accountById } from '../users.ts';

/** Seconds in which a challenge must be answered. */
const CHALLENGE_LIFE_S = 300;
const SECRET_BYTES = 20;
/** Signs of an issuer as it stands in the address that is drawn, twice: seconds go into a picture of a hundred thousand. */
const MAX_ISSUER = 200;
const MAX_NAME_LENGTH = 200;

/** What authenticator apps expect: six digits, a new one every 30 s, SHA-1. */
const totpOf = (secret: Secret, issuer: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: 30, secret });

/** @throws {AuthError} validation_failed */
function namesIn(auth: Auth, body: Record<string, unknown>): { name: string; issuer: string } {
  const [name = '', given] = [textIn(body, 'friendly_name'), textIn(body, 'issuer')];
  if (name.length > MAX_NAME_LENGTH) throw invalid(`friendly_name has at most ${MAX_NAME_LENGTH} characters`);
  if (given !== undefined && new URLSearchParams({ given }).toString().length > MAX_ISSUER)
    throw invalid(`issuer has at most ${MAX_ISSUER} characters as part of an address`);
  return { name, issuer: given ?? new URL(auth.settings.siteUrl()).host };
}

async function enrolTotp(auth: Auth, c: AuthRequest): Promise<Response> {
  const signed = c.get('signed');
  const { name, issuer } = namesIn(auth, c.get('body'));
  auth.limits.count('enrol', addressOf(c), signed.userId);
  await auth.sql`
    delete from auth.mfa_factors where user_id = ${signed.userId} and status = 'unverified'
      and created_at < now() - interval '1 day'`;
  const { email } = await accountById(auth.sql, signed.userId);
  const secret = new Secret({ size: SECRET_BYTES });
  const uri = totpOf(secret, issuer, email ?? signed.userId).toString();
  const id = randomUUID();
  try {
    await auth.sql.begin(async tx => {
      await lockSignedIn(tx, signed);
      await requireFactorSlot(tx, signed, name);
      await tx`
        insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
        values (${id}, ${signed.userId}, ${name}, 'totp', 'unverified', ${auth.vault.seal(secret.base32)})`;
    });
  } catch (error) {
    if (errorCode(error) === '23505') throw nameTaken(name);
    throw error;
  }
  await audit(auth.sql, 'factor_in_progress', signed.userId, addressOf(c), { factor_id: id });
  const totp = { qr_code: renderSVG(uri, { border: 2 }), secret: secret.base32, uri };
  return c.json({ id, type: 'totp', friendly_name: name, totp });
}

async function enrol(auth: Auth, c: AuthRequest): Promise<Response> {
  switch (textIn(c.get('body'), 'factor_type')) {
    case 'totp':
      return enrolTotp(auth, c);
    case 'phone':
      throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
    case 'webauthn':
      throw new AuthError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn');
    default:
      throw invalid('factor_type needs to be totp, phone, or webauthn');
  }
}

/** The factor of the path, if it is the asker's: of another's there is no sign. */
async function ownFactor(db: Db, c: AuthRequest): Promise<Factor> {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID');
  const factor = (await factorsOf(db, c.get('signed').userId)).find(own => own.id === id);
  if (!factor) throw factorNotFound();
  return factor;
}

async function challenge(auth: Auth, c: AuthRequest): Promise<Response> {
  auth.limits.count('challenge', addressOf(c), c.get('signed').userId);
  const factor = await ownFactor(auth.sql, c);
  if (factor.kind !== 'totp') throw invalid('factor_type needs to be totp, phone, or webauthn');
  const id = randomUUID();
  await auth.sql`
    delete from auth.mfa_challenges where factor_id = ${factor.id} and created_at < now() - interval '1 hour'`;
  await auth.sql`
    insert into auth.mfa_challenges (id, factor_id, ip_address) values (${id}, ${factor.id}, ${addressOf(c)})`;
  await auth.sql`update auth.mfa_factors set last_challenged_at = now() where id = ${factor.id}`;
  return c.json({ id, type: factor.kind, expires_at: Math.floor(Date.now() / 1000) + CHALLENGE_LIFE_S });
}

async function requireChallenge(auth: Auth, c: AuthRequest, factorId: string, id: string): Promise<void> {
  const [row] = isUuid(id)
    ? await auth.sql<{ isOpen: boolean; isOver: boolean }[]>`
        select verified_at is null and ip_address = ${addressOf(c)} as "isOpen",
               created_at < now() - make_interval(secs => ${CHALLENGE_LIFE_S}) as "isOver"
        from auth.mfa_challenges where id = ${id} and factor_id = ${factorId}`
    : [];
  if (!row) throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
  if (!row.isOpen) throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
  const words = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`;
  if (row.isOver) throw new AuthError(422, 'mfa_challenge_expired', words);
}

/** A code opens once, and none older than one that did (decision 18). @param step half minutes since 1970 */
async function takeStep(auth: Auth, factorId: string, step: number): Promise<boolean> {
  const taken = await auth.sql`
    update auth.mfa_factors set last_totp_step = ${step}
    where id = ${factorId} and (last_totp_step is null or last_totp_step < ${step}) returning id`;
  return taken.length > 0;
}

const wrongCode = () => new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');

/** The level is asked with the account held: of two first factors that are confirmed at once, one is the first. */
async function confirm(auth: Auth, tx: TransactionSql, c: AuthRequest, challengeId: string): Promise<TokenAnswer> {
  const signed = c.get('signed');
  await lockSignedIn(tx, signed);
  const factor = await ownFactor(tx, c);
  if (!factor.isVerified) await requireLevel(tx, signed, 403, 'AAL2 required to confirm a new factor');
  const used = await tx`
    update auth.mfa_challenges set verified_at = now() where id = ${challengeId} and verified_at is null returning id`;
  if (used.length === 0) throw wrongCode();
  await tx`update auth.mfa_factors set status = 'verified', updated_at = now() where id = ${factor.id}`;
  await tx`
    delete from auth.mfa_factors
    where user_id = ${signed.userId} and factor_type = 'totp' and status = 'unverified'`;
  if (!factor.isVerified) await dropLinking(tx, signed.userId);
  await audit(tx, 'factor_verified', signed.userId, addressOf(c), { factor_id: factor.id });
  return raiseSession(auth, tx, signed, 'totp', factor.id);
}

async function verify(auth: Auth, c: AuthRequest): Promise<Response> {
  const factor = await ownFactor(auth.sql, c);
  const challengeId = requireText(c.get('body'), 'challenge_id', 'challenge_id required');
  const code = requireText(c.get('body'), 'code', 'code required');
  await requireChallenge(auth, c, factor.id, challengeId);
  const secret = Secret.fromBase32(auth.vault.open(factor.secret ?? ''));
  const totp = totpOf(secret, '', '');
  await auth.limits.guess('factor', addressOf(c), c.get('signed').userId, async () => {
    const now = Date.now();
    const delta = totp.validate({ token: code.replaceAll(' ', ''), timestamp: now, window: 1 });
    if (delta === null) throw wrongCode();
    if (!(await takeStep(auth, factor.id, totp.counter({ timestamp: now }) + delta))) throw wrongCode();
  });
  return c.json(await auth.sql.begin(tx => confirm(auth, tx, c, challengeId)));
}

async function unenrol(auth: Auth, c: AuthRequest): Promise<Response> {
  const signed = c.get('signed');
  const id = await auth.sql.begin(async tx => {
    await lockSignedIn(tx, signed);
    const factor = await ownFactor(tx, c);
    if (factor.isVerified) await requireLevel(tx, signed, 422, 'AAL2 required to unenroll verified factor');
    await removeFactor(tx, signed.userId, factor.id, signed.sessionId);
    await audit(tx, 'factor_unenrolled', signed.userId, addressOf(c), { factor_id: factor.id });
    return factor.id;
  });
  return c.json({ id });
}

export function addFactors(app: Hono<AuthVariables>, auth: Auth): void {
  app.post('/factors', c => enrol(auth, c));
  app.post('/factors/:id/challenge', c => challenge(auth, c));
  app.post('/factors/:id/verify', c => verify(auth, c));
  app.delete('/factors/:id', c => unenrol(auth, c));
}
