import type { Db } from './auth-context.ts';

/**
 * Nobody has shown yet whose address or number it is: what somebody put in place before is not kept, and whoever answers the code that is
 * sent now sets theirs (decision 17). Of an account that somebody confirmed in one way nothing is taken by asking in the other.
 */
export async function distrust(db: Db, userId: string): Promise<void> {
  await db`
    update auth.users set encrypted_password = null, raw_user_meta_data = '{}', updated_at = now()
    where id = ${userId} and email_confirmed_at is null and phone_confirmed_at is null`;
}
