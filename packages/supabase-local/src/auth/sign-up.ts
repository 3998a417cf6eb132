import { randomUUID } from 'node:crypto';
import type { Auth } from './auth-context.ts';
import { insertUser, type NewUser } from './users.ts';

/** What is given at `POST /signup`; of `email` and `phone` one is empty. */
export type SignUp = { email: string; phone?: string; password: string; data: Record<string, unknown> };

/**
 * What whoever signed up reads until the address or number is confirmed. It is made of what they sent alone, never of what is stored:
 * so it has one form whether there was an account or not.
 *
 * @param id of the account that was made; left out where there was one, whose id is nobody's business
 */
export function unconfirmedUser({ email, phone = '', data }: SignUp, id: string = randomUUID()) {
  const now = new Date().toISOString();
  const provider = phone === '' ? 'email' : 'phone';
  const own = { sub: id, ...(phone === '' ? { email } : { phone }), email_verified: false, phone_verified: false };
  const times = { last_sign_in_at: now, created_at: now, updated_at: now };
  const identity = { identity_id: randomUUID(), id, user_id: id, identity_data: own, provider, ...times };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone,
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: { ...data, ...own },
    identities: [{ ...identity, email: email || null }],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

const NOTHING_STAYS = new Error('a rehearsal leaves nothing');

/**
 * Does what making the account would, and undoes it: what the database refuses of somebody's words is refused alike, and after as
 * much work, where there is an account.
 *
 * @throws {AuthError} as `insertUser`, but for a taken address or number
 */
export async function rehearse({ sql }: Auth, { phone = '', data }: SignUp): Promise<void> {
  const nobody = randomUUID();
  const common = { hash: null, metadata: data };
  const user: NewUser =
    phone === ''
      ? { ...common, email: `${nobody}@nobody.invalid` }
      : { ...common, email: null, phone: `nobody ${nobody}`, provider: 'phone' };
  try {
    await sql.begin(async tx => {
      await insertUser(tx, user);
      throw NOTHING_STAYS;
    });
  } catch (error) {
    if (error !== NOTHING_STAYS) throw error;
  }
}
