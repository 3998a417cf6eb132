import { Failure } from '@cairn/base/failure.ts';
import type { CurrentUser, Device, EngineOptions } from '@cairn/sync/device.ts';
import type { AuthResult, AuthFlows } from '../../shared/auth/auth-flows.ts';
import {
  PATIENCE_MS,
  SESSION_PLACE,
  type AuthGate,
  type LoginFailure,
  type OpenGate,
  type StoredSession,
} from './auth/auth-gate.ts';
import { LazyAccountEnds } from './account/account-ends-when-asked.ts';
import type { DataKeyStore } from './device/data-key-store.ts';
import type { BrowserKeys } from './account/ended-account.ts';
import { RememberedSession } from './device/remembered-session.ts';
import type { RequireOwnSession } from './own-session.ts';
import type { SessionState, SignedOutReason } from './device/session-state.ts';
import type { SessionTabs, TabMessage } from './device/session-tabs.ts';

type OpenedDevice = {
  device: Device;
  /** A backend that opens the gate with its first call. */
  backendOver: (open: () => Promise<AuthGate>, owner: string) => EngineOptions['backend'];
  keys: DataKeyStore;
  tabs: SessionTabs;
  storage: BrowserKeys;
};

export type SessionParts = {
  openDevice: () => Promise<OpenedDevice>;
  openGate: OpenGate;
  requireOwnSession: RequireOwnSession;
  /** Calls back once there is a network: at once where there is one. */
  whenOnline: (callback: () => void) => void;
};

/**
 * Who is signed in on this device, with or without network.
 *
 * A person and session kept on the device sign in at once; the server is asked afterwards. Only a word of the server
 * (never a missing network) ends a session, and ending it deletes none of the person's work.
 */
export class SessionController {
  private state: SessionState = { status: 'loading' };
  private readonly listeners = new Set<() => void>();
  private readonly parts: SessionParts;
  private loaded: OpenedDevice | null = null;
  private gate: Promise<AuthGate> | null = null;
  private leaving = false;
  /** The library forgetting who left; a next sign-in waits for it, or it would forget that one. */
  private parting: Promise<void> = Promise.resolve();
  private readonly remembered = new RememberedSession(() => this.opened());
  /** What becomes of a device whose person's account was deleted elsewhere. */
  readonly accountEnds: LazyAccountEnds;
  /** Whose session the server ended while this page was open: it goes on here when they sign in again in another tab. */
  private refused: string | null = null;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.accountEnds = new LazyAccountEnds({
      state: () => (this.leaving ? null : this.state),
      become: state => this.become(state),
      device: () => this.opened(),
      tell: message => this.begun().tabs.tell(message),
      remembered: this.remembered,
      storage: () => this.begun().storage,
    });
  }

  readonly snapshot = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Opens the device and whoever it remembers. Call once. */
  async start(): Promise<void> {
    this.loaded = await this.parts.openDevice();
    this.loaded.tabs.hear(message => void this.hear(message));
    const { settings } = this.opened();
    const [user, stored] = await Promise.all([settings.get('current_user'), settings.get('auth_session')]);
    if (await this.accountEnds.goOn(stored && user)) return;
    if (!user || !stored) return this.become({ status: 'signed_out', reason: 'none', email: user?.email ?? null });
    // Only after a sign-out that was cut off half-way.
    await this.begun().keys.arrive(user);
    this.enter(user, false);
    this.parts.whenOnline(() => void this.verify());
  }

  /** @returns what went wrong, or null once signed in */
  async signIn(email: string, password: string): Promise<LoginFailure | null> {
    const address = email.trim().toLowerCase();
    if (address === '' || password === '') return { kind: 'missing' };
    await this.parting;
    const gate = await this.openGate().catch(() => null);
    if (!gate) return { kind: 'network' };
    const answer = await gate.signIn(address, password);
    const { keys } = this.begun();
    if (!answer.ok && answer.failure.kind === 'second_step') keys.note(address, password);
    if (!answer.ok) return answer.failure;
    await this.remembered.inTurn(() => this.remembered.write(answer.user, answer.session));
    await keys.arrive(answer.user, password);
    this.enter(answer.user, true);
    return null;
  }

  /**
   * Signs somebody in here whom the server let in otherwise than by e-mail and password. Whoever is signed in already
   * stays; somebody else's engine stops first, and their work stays on the device, closed.
   */
  async establishSession({ user, session }: AuthResult): Promise<void> {
    await this.parting;
    const before = this.state.status === 'signed_in' ? this.state : null;
    await this.remembered.inTurn(() => this.remembered.write(user, session));
    if (before?.user.id === user.id) return this.become({ ...before, user, verified: true });
    const { keys } = this.begun();
    await before?.engine.stop();
    if (before) {
      await keys.leave(before.user, null);
      await keys.letGo(before.user);
    }
    await keys.arrive(user);
    this.enter(user, true);
  }

  /** The ways in, and the account's security. @throws {Failure} `offline` when they cannot be loaded */
  readonly flows = async (): Promise<AuthFlows> => {
    // A session that is made now must not be the one that is being forgotten.
    await this.parting;
    return this.begun().keys.hear((await this.reach()).flows, this.snapshot);
  };

  /**
   * The authentication service, loaded now where it was not yet.
   * @throws {Failure} `offline` when it cannot be; `signed_out` when the browser's session is another person's
   */
  reach(): Promise<AuthGate> {
    return this.parts.requireOwnSession(this.openGate(), this.snapshot, () => this.end('refused'));
  }

  /**
   * Signs out here, whatever the network does. What is queued stays on the device, closed until this person's next sign-in.
   * @param words close it where this device was never given their password
   * @throws {Error} when this device could not forget them: they are still signed in
   */
  async signOut(words: string | null = null): Promise<void> {
    if (this.state.status !== 'signed_in') return;
    const { engine, user, verified } = this.state;
    this.leaving = true;
    await engine.stop();
    const { keys } = this.begun();
    try {
      await keys.leave(user, words);
      await this.remembered.inTurn(() =>
        this.remembered.forget('auth_session', 'current_user', 'selected_organization', 'selected_playbook'),
      );
      await keys.letGo(user);
    } catch (error) {
      // Nobody left: their work is opened again and goes on being sent. A stopped engine does not start again.
      await keys.arrive(user);
      this.enter(user, verified);
      throw error;
    } finally {
      this.leaving = false;
    }
    this.parting = this.part().catch(() => undefined);
    this.become({ status: 'signed_out', reason: 'left', email: user.email });
  }

  /** The library's part of leaving, behind the scenes. */
  private async part(): Promise<void> {
    const late = new Promise<null>(resolve => setTimeout(() => resolve(null), PATIENCE_MS));
    const gate = await Promise.race([this.openGate().catch(() => null), late]);
    if (gate) return gate.signOut();
    await this.opened().sealedStorage(SESSION_PLACE.prefix).removeItem(SESSION_PLACE.key);
  }

  /** The device's remembered choices and settings. */
  opened(): Device {
    return this.begun().device;
  }

  private begun(): OpenedDevice {
    if (!this.loaded) throw new Error('the session has not started');
    return this.loaded;
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private enter(user: CurrentUser, verified: boolean): void {
    const engine = this.opened().engineFor({
      owner: user.id,
      backend: this.begun().backendOver(() => this.openGate(), user.id),
      refreshToken: () => this.renew(),
      signedInNow: verified,
    });
    this.become({ status: 'signed_in', user, engine, verified });
    engine.start();
    if (verified) this.begun().tabs.tell({ kind: 'arrived', id: user.id });
  }

  private async hear({ kind, id }: TabMessage): Promise<void> {
    if (kind === 'account_ended') return this.accountEnds.ended(id);
    if (kind === 'forgotten') return this.accountEnds.forgotten(id);
    if (this.refused !== id || this.state.status !== 'signed_out') return;
    const now = await this.remembered.read();
    if (now?.user.id === id && this.state.status === 'signed_out') this.enter(now.user, false);
  }

  private openGate(): Promise<AuthGate> {
    this.gate ??= this.parts
      .openGate({
        renewed: (session, userId) => void this.keep(session, userId),
        lost: () => void this.end('refused'),
        ended: userId => void this.accountEnds.ended(userId),
        updated: user => void this.update(user),
      })
      .catch((error: unknown) => {
        // The next attempt loads again: a missing network now says nothing about later.
        this.gate = null;
        throw error;
      });
    return this.gate;
  }

  private async verify(): Promise<void> {
    if (this.state.status !== 'signed_in' || this.state.verified) return;
    const gate = await this.openGate().catch(() => null);
    const verdict = (await gate?.verify()) ?? { status: 'unreachable' as const };
    if (verdict.status === 'refused') await this.end('refused');
    if (verdict.status !== 'valid' || this.state.status !== 'signed_in') return;
    if (verdict.user.id !== this.state.user.id) return this.end('refused');
    await this.remembered.inTurn(async () => {
      if (this.isHere()) await this.remembered.write(verdict.user, verdict.session);
    });
    if (this.isHere() && this.state.status === 'signed_in')
      this.become({ ...this.state, user: verdict.user, verified: true });
  }

  private async renew(): Promise<void> {
    const before = await this.remembered.read();
    const verdict = await (await this.openGate()).renew();
    // Refused was the session of then; whoever signed in again meanwhile, here or in another tab, has another one.
    const now = verdict.status === 'refused' ? await this.remembered.read() : null;
    if (now && before?.session.sessionToken !== now.session.sessionToken && this.isHere(now.user.id))
      throw new Failure('offline', 'the session was renewed elsewhere meanwhile');
    const isValid = verdict.status === 'valid';
    if (isValid && this.isHere(verdict.user.id)) return this.keep(verdict.session, verdict.user.id);
    // Another tab signed somebody else in: there is no session of this person's any more.
    if (isValid || verdict.status === 'refused') {
      await this.end('refused');
      throw new Failure('signed_out', 'the server refused to renew the session');
    }
    throw new Failure('offline', 'the session could not be renewed without a network');
  }

  /** The server's word that the session is over. Records and outbox stay. */
  private async end(reason: SignedOutReason): Promise<void> {
    if (this.state.status !== 'signed_in' || this.leaving) return;
    const { engine, user } = this.state;
    this.refused = user.id;
    this.become({ status: 'signed_out', reason, email: user.email });
    // First: the engine may wait for an answer, and a page opened meanwhile must not find a session.
    await this.remembered.inTurn(async () => {
      const known = await this.opened().settings.get('current_user');
      // Whoever signed in meanwhile in another tab is remembered here by now.
      if (known?.id === user.id) await this.remembered.forget('auth_session');
      // Only leaving forgets somebody; here nobody left.
      else if (!known && this.state.status === 'signed_out') this.become({ ...this.state, reason: 'elsewhere' });
    });
    await engine.stop();
  }

  private async keep(session: StoredSession, userId: string): Promise<void> {
    await this.remembered.inTurn(async () => {
      if (this.isHere(userId)) await this.opened().settings.set('auth_session', session);
    });
    if (this.state.status === 'signed_in' && this.isHere(userId) && !this.state.verified)
      this.become({ ...this.state, verified: true });
  }

  private async update(user: CurrentUser): Promise<void> {
    if (this.state.status !== 'signed_in' || !this.isHere(user.id)) return;
    const before = this.state;
    await this.remembered.inTurn(async () => {
      if (this.isHere(user.id)) await this.opened().settings.set('current_user', user);
    });
    if (this.state === before) this.become({ ...before, user });
  }

  /** Signed in, and not on the way out: nothing may be remembered of somebody who leaves. */
  private isHere(userId?: string): boolean {
    if (this.state.status !== 'signed_in' || this.leaving) return false;
    return userId === undefined || this.state.user.id === userId;
  }
}
