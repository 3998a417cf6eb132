import type { Context } from 'hono';
import { asCaller, asServer, asVisitor, type BackendAccess } from '../backend-access.ts';

const BUCKET = 'media';
/** Objects removed with one call. */
const AT_ONCE = 100;

type Refusal = { status: 400 | 401 | 403 | 409 | 429 | 502; code: string; message: string; names?: string };
/** `name`: what they sign in with. */
type Person = { id: string; name: { email: string } | { phone: string } };

const signedOut: Refusal = { status: 401, code: 'signed_out', message: 'Sign in first' };
const unavailable: Refusal = { status: 502, code: 'unavailable', message: 'The backend did not answer' };

async function wishIn(request: Request): Promise<{ password: string } | null> {
  const body: unknown = await request.json().catch(() => null);
  if (typeof body !== 'object' || body === null || !('password' in body) || !('confirm' in body)) return null;
  const { password, confirm } = body;
  return typeof password === 'string' && password !== '' && confirm === 'delete' ? { password } : null;
}

const notThem = (status: number): Refusal => (status >= 500 ? unavailable : signedOut);

/**
 * Who asks, as the authentication service knows them. It takes a session that owes its second step; the database does not, also where
 * nothing stands in front of the functions.
 */
async function whoAsks(access: BackendAccess, authorization: string): Promise<Person | Refusal> {
  const token = authorization.replace(/^Bearer /i, '');
  const caller = asCaller(access, authorization);
  const { data, error } = await caller.auth.getUser(token);
  if (error) return notThem(error.status ?? 0);
  const whole = await caller.rpc('my_scopes');
  if (whole.error) return notThem(whole.status);
  const { id, email, phone } = data.user;
  if (email) return { id, name: { email } };
  return phone ? { id, name: { phone } } : signedOut;
}

/** Whether it is truly them at this moment: an unlocked phone is not enough to end an account. */
async function knowsPassword(
  access: BackendAccess,
  { id, name }: Person,
  { password, agent }: { password: string; agent: string | null },
): Promise<Refusal | null> {
  const { data, error } = await asVisitor(access, agent).auth.signInWithPassword({ ...name, password });
  if (!error) return data.user.id === id ? null : signedOut;
  if (error.status === 429)
    return { status: 429, code: 'too_many', message: 'Too many wrong passwords. Wait a little' };
  if (error.code === 'invalid_credentials')
    return { status: 403, code: 'wrong_password', message: 'This is not the password' };
  return unavailable;
}

async function end(access: BackendAccess, person: Person): Promise<Refusal | { files: string[] }> {
  const { data, error } = await asServer(access).rpc('delete_account', { p_user: person.id });
  if (!error) return data as { files: string[] };
  if (error.message !== 'last_admin') return unavailable;
  const message = 'Somebody else must be able to administer these organisations first';
  return { status: 409, code: 'last_admin', message, names: error.hint ?? '' };
}

/** Without their rows nobody can read these any more; now the bytes go too. */
async function removeFiles(access: BackendAccess, files: string[]): Promise<void> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    await asServer(access)
      .storage.from(BUCKET)
      .remove(files.slice(at, at + AT_ONCE));
  }
}

async function attempt(c: Context, access: BackendAccess): Promise<Refusal | null> {
  const authorization = c.req.header('Authorization');
  if (!authorization) return signedOut;
  const wish = await wishIn(c.req.raw);
  if (!wish)
    return { status: 400, code: 'invalid', message: 'The body must be {"password": "…", "confirm": "delete"}' };
  const person = await whoAsks(access, authorization);
  if ('status' in person) return person;
  const refusal = await knowsPassword(access, person, { ...wish, agent: c.req.header('user-agent') ?? null });
  if (refusal) return refusal;
  const ended = await end(access, person);
  if ('status' in ended) return ended;
  await removeFiles(access, ended.files);
  return null;
}

/**
 * `POST /account/delete {"password", "confirm": "delete"}`: ends the caller's account for good. What they made for a
 * company stays there under a pseudonym (docs/decisions/40-preferences-texts-and-account-lifecycle.md).
 */
export async function deleteAccount(c: Context, access: BackendAccess): Promise<Response> {
  const refusal = await attempt(c, access);
  if (!refusal) return c.json({ deleted: true });
  const { status, ...answer } = refusal;
  return c.json(answer, status);
}
