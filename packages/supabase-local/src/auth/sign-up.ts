import { randomUUID } from 'node:crypto';

/** What is given at `POST /signup`; of `email` and `phone` one is empty. */
export type SignUp = { email: string; phone?: string; password: string; data: Record<string, unknown> };

/** What somebody sees who signs up with an address or number that has an account: nothing that tells so. */
export function feigned({ email, phone = '', data }: SignUp): Record<string, unknown> {
  const [id, now] = [randomUUID(), new Date().toISOString()];
  const provider = phone === '' ? 'email' : 'phone';
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone,
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: {
      ...data,
      sub: id,
      ...(phone === '' ? { email } : { phone }),
      email_verified: false,
      phone_verified: false,
    },
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
