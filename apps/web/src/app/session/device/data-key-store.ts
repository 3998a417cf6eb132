import type { CurrentUser, Device } from '@cairn/sync/device.ts';
import type { AuthFlows } from '../../../shared/auth/auth-flows.ts';
import type { SessionState } from './session-state.ts';
import { silencePush } from './silence-push.ts';

/**
 * Keeps somebody's data key by the password they gave, whichever way they come in, and closes their unsent work with it
 * when they leave. A device that cannot store the key keeps nobody out, and nothing is lost: work then stays open.
 */
export interface DataKeyStore {
  /** A password that was typed and is not enough to come in yet (second step, letter): in memory until they arrive. */
  note(email: string, password: string): void;
  /** The server let them in. Without `password` the one that was noted for their address counts. */
  arrive(user: CurrentUser, password?: string): Promise<void>;
  /** The same flows, heard for the passwords that are given in them. */
  hear(flows: AuthFlows, session: () => SessionState): AuthFlows;
  /** Their unsent work is closed. @param words close it where no password was given here */
  leave(user: CurrentUser, words: string | null): Promise<void>;
  /** Their key goes, and what this browser is told of them: once they have left, for it opens their work again where leaving failed. */
  letGo(user: CurrentUser): Promise<void>;
}

/** `email` null: whoever arrives next has just chosen it. */
type TypedPassword = { email: string | null; password: string };

const addressOf = (email: string): string => email.trim().toLowerCase();
const report = (error: unknown): void => globalThis.reportError?.(error);

function letGo(device: Device, user: CurrentUser): Promise<void> {
  void silencePush().catch(() => undefined);
  return device.dataKeys.letGo(user.id).catch(report);
}

export function openDataKeyStore(device: Device): DataKeyStore {
  let typed: TypedPassword | null = null;
  const keep = (user: CurrentUser, password: string) => device.dataKeys.keep(user.id, password).catch(report);
  const noted = ({ email }: CurrentUser): string | null => {
    const given = typed;
    typed = null;
    return given && (given.email === null || given.email === addressOf(email)) ? given.password : null;
  };
  return {
    note: (email, password) => void (typed = { email: addressOf(email), password }),
    async arrive(user, password) {
      const known = noted(user);
      const given = password ?? known;
      if (given !== null) await keep(user, given);
      await device.restoreSealedOutbox(user.id).catch(report);
    },
    hear: (flows, session) => ({
      ...flows,
      async signUp(given) {
        const result = await flows.signUp(given);
        typed = { email: addressOf(given.email), password: given.password };
        return result;
      },
      async setPassword(password, nonce) {
        await flows.setPassword(password, nonce);
        const state = session();
        if (state.status === 'signed_in') {
          await keep(state.user, password);
          // The password is the new one whether or not the notes could be closed with it.
          await import('./close-notes-anew.ts')
            .then(({ closeNotesAnew }) => closeNotesAnew(device, state.engine.store, password))
            .catch(report);
        } else typed = { email: null, password };
      },
    }),
    leave: (user, words) => device.sealOutbox(user, words).then(() => undefined, report),
    letGo: user => letGo(device, user),
  };
}
