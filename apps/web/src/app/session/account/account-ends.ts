import type { CurrentUser, Device } from '@cairn/sync/device.ts';
import { endedPeople, forgetEnded, noteEnded, sweepForgotten, type BrowserKeys } from './ended-account.ts';
import type { RememberedSession } from '../device/remembered-session.ts';
import type { SessionState } from '../device/session-state.ts';
import type { TabMessage } from '../device/session-tabs.ts';

export type Host = {
  /** Null while somebody signs out. */
  state(): SessionState | null;
  become(state: SessionState): void;
  device(): Device;
  tell(message: TabMessage): void;
  remembered: RememberedSession;
  storage(): BrowserKeys;
};

type SignedInState = Extract<SessionState, { status: 'signed_in' }>;

/** What becomes of a device whose person's account was deleted elsewhere (decision 40). */
export class AccountEnds {
  private readonly host: Host;

  constructor(host: Host) {
    this.host = host;
  }

  /** The server's word, to this tab or to another, about who was signed in. What was not sent stays until its person has chosen. */
  async ended({ user, engine }: Pick<SignedInState, 'user' | 'engine'>): Promise<void> {
    const { host } = this;
    await noteEnded(this.place(), user, false);
    host.tell({ kind: 'account_ended', id: user.id });
    await engine.stop();
    await this.ask(user);
  }

  /** Everything of them is to be forgotten, by this page or by the next one. */
  async note(user: CurrentUser): Promise<void> {
    await noteEnded(this.place(), user, true);
  }

  /** Goes on where an earlier page stopped. @param here who is signed in on this device @returns whether there was something to go on with */
  async goOn(here: CurrentUser | null): Promise<boolean> {
    await sweepForgotten(this.place());
    for (const { forget, ...user } of await endedPeople(this.host.device())) {
      if (here && here.id !== user.id && !forget) continue;
      if (forget) await this.forget(user);
      else await this.ask(user);
      if (!here || here.id === user.id) return true;
    }
    return false;
  }

  /** Where nothing is unsent there is nothing to choose. */
  private async ask(user: CurrentUser): Promise<void> {
    const pending = await this.host.device().pendingOf(user.id);
    if (pending.records + pending.files === 0) return this.forget(user);
    // Another tab may have been chosen in meanwhile.
    const isNoted = (await endedPeople(this.host.device())).some(({ id }) => id === user.id);
    if (isNoted) this.host.become({ status: 'account_ended', user, pending });
  }

  /** Removes everything of somebody whose account was deleted from this device, sent or not; goes on at the next start where it is cut off. */
  async forget(user: CurrentUser): Promise<void> {
    await forgetEnded(this.place(), user);
    this.host.tell({ kind: 'forgotten', id: user.id });
    if (this.host.state()?.status !== 'signed_in')
      this.host.become({ status: 'signed_out', reason: 'deleted', email: null });
  }

  /** Another tab removed everything of them. */
  forgotten(id: string): void {
    const state = this.host.state();
    if (state?.status === 'account_ended' && state.user.id === id)
      this.host.become({ status: 'signed_out', reason: 'deleted', email: null });
  }

  private place() {
    const { host } = this;
    return { device: host.device(), remembered: host.remembered, storage: host.storage() };
  }
}
