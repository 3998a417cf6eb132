import type { Session, SupabaseClient } from '@supabase/supabase-js';
import type { SealedStorage } from '@cairn/sync/crypto/sealed-storage.ts';
import { AuthRefused, type LinkTokens, type LinkGuest } from '../../../shared/auth/auth-flows.ts';
import { toAuthResult, userOf } from './auth-result.ts';
import { SESSION_PLACE } from './auth-gate.ts';
import { must } from './auth-refusal.ts';
import { isVerifier } from './verifier-age.ts';

/** The client of this device's session with its storage, and how another is made that keeps its session elsewhere. */
export type LinkParts = {
  client: SupabaseClient;
  storage: SealedStorage;
  /** A client that renews nothing by itself and speaks to no other tab of the person's. */
  linkClient(storage: SealedStorage, storageKey: string): SupabaseClient;
};

const LINK_KEY = 'cairn.link';
const asMain = (key: string): string => key.replace(LINK_KEY, SESSION_PLACE.key);

/**
 * What the client of a link remembers: its session in memory, until somebody agreed to it. It reads what this browser
 * kept when it asked for a link, and takes none of it away: a stranger's code must not use up what the person's own needs.
 */
function linkStorage(storage: SealedStorage): SealedStorage {
  const memory = new Map<string, string>();
  return {
    getItem: async key => (isVerifier(key) ? storage.getItem(asMain(key)) : (memory.get(key) ?? null)),
    setItem: async (key, value) => void memory.set(key, value),
    removeItem: async key => void memory.delete(key),
  };
}

/** A client whose session is nobody's here. */
const clientOf = ({ linkClient, storage }: LinkParts): SupabaseClient => linkClient(linkStorage(storage), LINK_KEY);

/** Makes a link's session the one of this device. */
async function enter({ auth }: SupabaseClient, { access_token, refresh_token }: Session) {
  return toAuthResult(must(await auth.setSession({ access_token, refresh_token })).session);
}

/**
 * Whose tokens these are, as the server says; nothing of this device changes before `enter`.
 *
 * The two are looked at apart: whoever made the link could have put their own refresh token behind somebody else's access token.
 * @throws {AuthRefused} for tokens the server does not take
 */
export async function lookAtTokens(parts: LinkParts, tokens: LinkTokens): Promise<LinkGuest> {
  const { auth } = clientOf(parts);
  const { user } = must(await auth.getUser(tokens.accessToken));
  return {
    user: userOf({ user }),
    isAskedFor: false,
    recovery: false,
    async enter() {
      const { session } = must(await auth.refreshSession({ refresh_token: tokens.refreshToken }));
      if (session?.user.id !== user.id) throw new AuthRefused({ kind: 'link_unusable' });
      return enter(parts.client, session);
    },
  };
}

/**
 * Trades the code of a link or of a sign-in service; the server takes it only with what this browser kept when it asked.
 * @throws {AuthRefused} `other_browser` where this browser did not ask, or too long ago
 */
export async function lookAtCode(parts: LinkParts, code: string): Promise<LinkGuest> {
  const data = must(await clientOf(parts).auth.exchangeCodeForSession(code));
  await parts.storage.removeItem(`${SESSION_PLACE.key}-code-verifier`);
  const { session } = data;
  return {
    user: userOf(session),
    isAskedFor: true,
    recovery: 'redirectType' in data && data.redirectType === 'recovery',
    enter: () => enter(parts.client, session),
  };
}
