import { Failure } from '@cairn/base/failure.ts';
import type { CurrentUser, Device } from '@cairn/sync/device.ts';
import type { AuthGate, LoginFailure, OpenGate, StoredSession } from './auth-gate.ts';
import { gatedBackend } from './gated-backend.ts';
import type { SessionState, SignedOutReason } from './session-state.ts';

export type SessionParts = { openDevice: () => Promise<Device>; openGate: OpenGate };

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
  private device: Device | null = null;
  private gate: Promise<AuthGate> | null = null;
  private leaving = false;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  readonly snapshot = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Opens the device and whoever it remembers. Call once. */
  async start(): Promise<void> {
    this.device = await this.parts.openDevice();
    const { settings } = this.device;
    const [user, stored] = await Promise.all([settings.get('current_user'), settings.get('auth_session')]);
    if (!user || !stored) return this.become({ status: 'signed_out', reason: 'none', email: user?.email ?? null });
    this.enter(user, false);
    void this.verify();
  }

  /** @returns what went wrong, or null once signed in */
  async signIn(email: string, password: string): Promise<LoginFailure | null> {
    const address = email.trim().toLowerCase();
    if (address === '' || password === '') return { kind: 'missing' };
    const gate = await this.openGate().catch(() => null);
    if (!gate) return { kind: 'network' };
    const answer = await gate.signIn(address, password);
    if (!answer.ok) return answer.failure;
    await this.remember(answer.user, answer.session);
    this.enter(answer.user, true);
    return null;
  }

  /** Work on this device that no server has acknowledged: what the person is asked about before leaving. */
  async pendingWork(): Promise<{ records: number; files: number }> {
    if (this.state.status !== 'signed_in') return { records: 0, files: 0 };
    return this.opened().pendingOf(this.state.user.id);
  }

  /** Signs out here. What is queued stays on the device, for this person's next sign-in only. */
  async signOut(): Promise<void> {
    if (this.state.status !== 'signed_in') return;
    const { engine, user } = this.state;
    this.leaving = true;
    await engine.stop();
    const gate = await this.openGate().catch(() => null);
    await gate?.signOut();
    await this.forget(['auth_session', 'current_user', 'selected_organization', 'selected_playbook']);
    this.leaving = false;
    this.become({ status: 'signed_out', reason: 'left', email: user.email });
  }

  /** The device's remembered choices and settings. */
  opened(): Device {
    if (!this.device) throw new Error('the session has not started');
    return this.device;
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private enter(user: CurrentUser, verified: boolean): void {
    const engine = this.opened().engineFor({
      owner: user.id,
      backend: gatedBackend(() => this.openGate()),
      refreshToken: () => this.renew(),
    });
    this.become({ status: 'signed_in', user, engine, verified });
    engine.start();
  }

  private openGate(): Promise<AuthGate> {
    this.gate ??= this.parts
      .openGate({ renewed: session => void this.keep(session), lost: () => void this.end('refused') })
      .catch((error: unknown) => {
        // The next attempt loads again: a missing network now says nothing about later.
        this.gate = null;
        throw error;
      });
    return this.gate;
  }

  private async verify(): Promise<void> {
    const gate = await this.openGate().catch(() => null);
    const verdict = (await gate?.verify()) ?? { status: 'unreachable' as const };
    if (verdict.status === 'refused') await this.end('refused');
    if (verdict.status !== 'valid' || this.state.status !== 'signed_in') return;
    if (verdict.user.id !== this.state.user.id) return this.end('refused');
    await this.remember(verdict.user, verdict.session);
    if (this.state.status === 'signed_in') this.become({ ...this.state, user: verdict.user, verified: true });
  }

  private async renew(): Promise<void> {
    const verdict = await (await this.openGate()).renew();
    if (verdict.status === 'valid') return this.keep(verdict.session);
    if (verdict.status === 'refused') {
      await this.end('refused');
      throw new Failure('signed_out', 'the server refused to renew the session');
    }
    throw new Failure('offline', 'the session could not be renewed without a network');
  }

  /** The server's word that the session is over. Records and outbox stay. */
  private async end(reason: SignedOutReason): Promise<void> {
    if (this.state.status !== 'signed_in' || this.leaving) return;
    const { engine, user } = this.state;
    this.become({ status: 'signed_out', reason, email: user.email });
    await engine.stop();
    await this.forget(['auth_session']);
  }

  private async keep(session: StoredSession): Promise<void> {
    if (this.state.status !== 'signed_in') return;
    await this.opened().settings.set('auth_session', session);
    if (this.state.status === 'signed_in' && !this.state.verified) this.become({ ...this.state, verified: true });
  }

  private async remember(user: CurrentUser, session: StoredSession): Promise<void> {
    const { settings } = this.opened();
    await settings.set('current_user', user);
    await settings.set('auth_session', session);
  }

  private async forget(keys: ('auth_session' | 'current_user' | 'selected_organization' | 'selected_playbook')[]) {
    for (const key of keys) await this.opened().settings.remove(key);
  }
}
