import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js';
import { Failure } from '@cairn/base/failure.ts';
import type { CurrentUser, Device } from '@cairn/sync/device.ts';
import { onlyOurAnswers } from '@cairn/sync/our-answers.ts';
import { supabaseBackend } from '@cairn/sync/supabase-backend.ts';
import type { AuthGate, GateEvents, StoredSession, Verdict } from './auth-gate.ts';
import type { Config } from './config.ts';
import { loginFailure } from './login-failure.ts';

const STORAGE_KEY = 'cairn.session';
/** ms; how long a stored session may open the app offline. */
const OFFLINE_MS = 24 * 60 * 60 * 1000;

/** The gate over supabase-js. Tokens lie sealed in local storage; nothing else of the library is persisted. */
export function supabaseGate(device: Device, config: Config, events: GateEvents): AuthGate {
  const storage = device.sealedStorage('cairn.auth.');
  const client = createClient(config.backendUrl, config.publishableKey, {
    auth: { storage, storageKey: STORAGE_KEY, detectSessionInUrl: false, autoRefreshToken: true, persistSession: true },
    global: { fetch: onlyOurAnswers((input, init) => fetch(input, init)) },
  });
  tell(client, events);
  return {
    backend: supabaseBackend(client),
    async signIn(email, password) {
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      if (error) return { ok: false, failure: loginFailure(error) };
      if (!data.session) return { ok: false, failure: { kind: 'no_session' } };
      return { ok: true, user: userOf(data.session), session: storedOf(data.session) };
    },
    verify: async () => verdictOf(await client.auth.getSession()),
    renew: async () => verdictOf(await client.auth.refreshSession()),
    async removeSampleData(organizationId) {
      const { error } = await client.rpc('remove_sample_data', { organization_id: organizationId });
      if (!error) return;
      const code = error.code === '42501' ? 'not_allowed' : 'offline';
      throw new Failure(code, `remove_sample_data ${organizationId}: ${error.code}`);
    },
    async signOut() {
      // An unreachable server must not keep somebody signed in here; the library removes its copy first.
      await client.auth.signOut({ scope: 'local' });
      await storage.removeItem(STORAGE_KEY);
    },
  };
}

function tell(client: SupabaseClient, events: GateEvents): void {
  client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') events.lost();
    if (event === 'TOKEN_REFRESHED' && session) events.renewed(storedOf(session));
  });
}

type SessionAnswer = Awaited<ReturnType<SupabaseClient['auth']['getSession' | 'refreshSession']>>;

function verdictOf({ data, error }: SessionAnswer): Verdict {
  if (data.session) return { status: 'valid', user: userOf(data.session), session: storedOf(data.session) };
  if (!error || isRefusal(error)) return { status: 'refused' };
  return { status: 'unreachable' };
}

/** A server that answered 4xx decided; anything else (no network, 5xx, 408, 429) says nothing about the session. */
function isRefusal({ name, status }: { name: string; status?: number | undefined }): boolean {
  if (name === 'AuthSessionMissingError') return true;
  // Another tab renewed or left meanwhile; it says so itself.
  if (name === 'AuthRefreshDiscardedError') return false;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function userOf({ user }: Session): CurrentUser {
  const name: unknown = user.user_metadata['full_name'];
  return { id: user.id, email: user.email ?? '', fullName: typeof name === 'string' && name !== '' ? name : null };
}

const storedOf = (session: Session): StoredSession => ({
  sessionToken: session.access_token,
  expiresAt: Date.now() + OFFLINE_MS,
});
