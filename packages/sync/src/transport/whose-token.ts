import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js';
import { BackendError } from './backend.ts';

/**
 * A client and whose work goes through it. The client takes whatever session the browser holds, and that is somebody else's as
 * soon as another tab, or a link in this one, signs them in. `owner` undefined: a client that is one person's by itself.
 */
export type Caller = { client: SupabaseClient; owner: string | undefined };

/** A token of the person who is signed in. @throws {BackendError} `auth` when that is not the owner of the work */
export async function tokenOf({ client, owner }: Caller): Promise<string> {
  // Where the session is kept may fail: nothing is known of it then, as where there is no network.
  const { data, error } = await client.auth.getSession().catch((cause: unknown) => {
    throw Object.assign(new BackendError('network', 'no session could be read'), { cause });
  });
  if (!data.session) {
    throw new BackendError(error && isAuthRetryableFetchError(error) ? 'network' : 'auth', 'no session');
  }
  if (owner !== undefined && data.session.user.id !== owner) {
    throw new BackendError('auth', "the session is another person's", 'another_person');
  }
  return data.session.access_token;
}

/** As headers of a call, so that the client does not ask once more whose session there is. Empty without an owner. */
export async function authorizationOf(caller: Caller): Promise<Record<string, string>> {
  return caller.owner === undefined ? {} : { Authorization: `Bearer ${await tokenOf(caller)}` };
}
