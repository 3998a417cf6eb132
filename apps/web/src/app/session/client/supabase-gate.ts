import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Failure } from '@cairn/base/failure.ts';
import type { Fetch } from '@cairn/sync/transport/ask.ts';
import type { Device } from '@cairn/sync/device.ts';
import { retryGatewayFaults } from '@cairn/sync/transport/gateway-retry.ts';
import { onlyOnline } from '@cairn/sync/store/only-online.ts';
import { onlyOurAnswers } from '@cairn/sync/transport/our-answers.ts';
import type { SealedStorage } from '@cairn/sync/crypto/sealed-storage.ts';
import { honourPause, openServerPause } from '@cairn/sync/transport/server-pause.ts';
import { supabaseBackend } from '@cairn/sync/transport/supabase-backend.ts';
import { tellingProgress } from '@cairn/sync/transport/telling-progress.ts';
import {
  PATIENCE_MS,
  SESSION_PLACE,
  type AuthGate,
  type GateEvents,
  type SignInAnswer,
  type Verdict,
} from '../auth/auth-gate.ts';
import { endsByOwnClock } from '@cairn/sync/store/own-clock.ts';
import { onlyYoungTokens } from '@cairn/sync/transport/young-tokens.ts';
import { openAccountCalls } from './account-calls.ts';
import { owesSecondStep, storedOf, userOf } from '../auth/auth-result.ts';
import type { Config } from './config.ts';
import { storeUsage } from '../../usage/store-usage.ts';
import { loginFailure } from '../auth/login-failure.ts';
import { nearCalls } from '../auth/near-calls.ts';
import { pushCalls } from './push-calls.ts';
import { quietSocket } from './quiet-socket.ts';
import { hasEnded, hearEndedAccount, ownerOf, type EndedAccountHooks } from './hear-ended-account.ts';
import { hearSession } from '../auth/session-events.ts';
import { supabaseFlows } from '../auth/supabase-flows.ts';
import { agingVerifiers } from '../auth/verifier-age.ts';
import type { ServerCalls } from '../../../shared/server/server-calls.ts';
import { serverCalls } from './server-calls.ts';

/** A device that does not say is taken to have a network. */
const isOnline = (): boolean => (navigator as Partial<Navigator>).onLine ?? true;

/** What a link brings is looked at by us before anybody is signed in with it: the library reads no address. */
const AUTH = {
  detectSessionInUrl: false,
  persistSession: true,
  flowType: 'pkce',
  experimental: { recoveryCodes: true },
} as const;

type GateContext = { config: Config; events: GateEvents };

const hearing = (ask: Fetch, storage: SealedStorage, { config, events }: GateContext): EndedAccountHooks => ({
  whose: async token => ownerOf(await storage.getItem(SESSION_PLACE.key), token),
  hasEnded: token => hasEnded(ask, config, token),
  ended: events.ended,
});

/** The gate over supabase-js. Tokens lie sealed in local storage; nothing else of the library is persisted. */
export function supabaseGate(device: Device, config: Config, events: GateEvents): AuthGate {
  const storage = agingVerifiers(device.sealedStorage(SESSION_PLACE.prefix));
  const account = openAccountCalls();
  const { backendUrl: url, publishableKey } = config;
  const pause = openServerPause();
  const heard = pause.heard(onlyOurAnswers(inTime(onlyOnline(retryGatewayFaults(tellingProgress(fetch)), isOnline))));
  const network = hearEndedAccount(heard, hearing(heard, storage, { config, events }));
  const ask = onlyYoungTokens(account.counted(endsByOwnClock(network)), publishableKey);
  const clientOver = (kept: SealedStorage, storageKey: string, autoRefreshToken: boolean) =>
    createClient(url, publishableKey, {
      // The answer of a link is worth nothing without what this browser keeps (`flowType`).
      auth: { ...AUTH, storage: kept, storageKey, autoRefreshToken },
      global: { fetch: ask },
      realtime: { transport: quietSocket(WebSocket, { network: globalThis, isOnline }) },
    });
  const client = clientOver(storage, SESSION_PLACE.key, true);
  client.auth.onAuthStateChange((event, session) => hearSession(event, session, events));
  return {
    backendOf: owner => honourPause(supabaseBackend(client, { url, publishableKey, ask }, owner), pause),
    flows: supabaseFlows({ client, storage, linkClient: (kept, key) => clientOver(kept, key, false) }),
    async signIn(email, password) {
      const name = email.includes('@') ? { email } : { phone: email };
      return signInAnswer(await client.auth.signInWithPassword({ ...name, password }));
    },
    verify: async () => verdictOf(await client.auth.getSession()),
    holder: () => holderOf(client),
    renew: async () => verdictOf(await client.auth.refreshSession()),
    removeSampleData: organizationId => removeSampleData(client, organizationId),
    push: pushCalls(client),
    near: nearCalls(client),
    calls: serverCalls(client),
    storeUsage: batch => storeUsage(client, batch),
    ...account.through(client),
    signOut: () => leave(client, storage),
  };
}

async function holderOf({ auth }: SupabaseClient): Promise<string | null> {
  const kept = await auth.getSession().catch(() => null);
  return kept?.data.session?.user.id ?? null;
}

type PasswordAnswer = Awaited<ReturnType<SupabaseClient['auth']['signInWithPassword']>>;

function signInAnswer({ data, error }: PasswordAnswer): SignInAnswer {
  if (error) return { ok: false, failure: loginFailure(error) };
  if (owesSecondStep(data.session)) return { ok: false, failure: { kind: 'second_step' } };
  return { ok: true, user: userOf(data.session), session: storedOf(data.session) };
}

/**
 * The stored session goes first, so that the library finds none to renew over a silent network, and a renewal under way
 * cannot bring it back.
 */
async function leave({ auth }: SupabaseClient, storage: SealedStorage): Promise<void> {
  const stored = await storage.getItem(SESSION_PLACE.key).catch(() => null);
  await storage.removeItem(SESSION_PLACE.key);
  const token = tokenIn(stored);
  if (token) void auth.admin.signOut(token, 'local');
  // Tells the other tabs; a library that still starts over a silent network would do so too late, and hit the next person.
  const started = auth.initialize().then(() => true);
  if (await Promise.race([started, after(PATIENCE_MS)])) await auth.signOut({ scope: 'local' });
}

const after = (ms: number): Promise<false> => new Promise(resolve => setTimeout(() => resolve(false), ms));

function tokenIn(stored: string | null): string | null {
  const session: unknown = stored === null ? null : JSON.parse(stored);
  const known = typeof session === 'object' && session !== null && 'access_token' in session;
  return known && typeof session.access_token === 'string' ? session.access_token : null;
}

/** Nobody waits for a server that is told of a sign-out; what it does not hear runs out by itself. */
const inTime =
  (ask: typeof fetch): typeof fetch =>
  (input, init) =>
    typeof input === 'string' && input.includes('/auth/v1/logout')
      ? ask(input, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
      : ask(input, init);

type SessionAnswer = Awaited<ReturnType<SupabaseClient['auth']['getSession' | 'refreshSession']>>;

function verdictOf({ data, error }: SessionAnswer): Verdict {
  if (data.session && owesSecondStep(data.session)) return { status: 'refused' };
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

async function removeSampleData(client: SupabaseClient, organizationId: string): Promise<void> {
  const { error } = await client.rpc('remove_sample_data', { organization_id: organizationId });
  if (!error) return;
  const code = error.code === '42501' ? 'not_allowed' : 'offline';
  throw new Failure(code, `remove_sample_data ${organizationId}: ${error.code}`);
}

/** Calls without a token, for what is nobody's business to know who asked; nothing of them is kept. */
export function callsOfNobody({ backendUrl, publishableKey }: Config): ServerCalls {
  const auth = { storageKey: 'nobody', persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return serverCalls(
    createClient(backendUrl, publishableKey, { auth, global: { fetch: onlyOurAnswers(inTime(fetch)) } }),
  );
}
