import type { CurrentUser } from '@cairn/sync/device.ts';
import type { AccountEnds, Host } from './account-ends.ts';

/** Accounts that were deleted elsewhere are rare: what becomes of them here is loaded when there is one. */
export class LazyAccountEnds {
  private readonly host: Host;

  constructor(host: Host) {
    this.host = host;
  }

  /** Said at once, so that the sign-out that follows finds nobody signed in; the rest when it is loaded. */
  async ended(userId: string): Promise<void> {
    const state = this.host.state();
    if (state?.status !== 'signed_in' || state.user.id !== userId) return;
    this.host.become({ status: 'account_ended', user: state.user, pending: null });
    await (await this.load()).ended(state);
  }

  /** @returns whether there was something to go on with */
  async goOn(here: CurrentUser | null): Promise<boolean> {
    if ((await this.host.device().settings.get('ended_accounts')) === null) return false;
    return (await this.load()).goOn(here);
  }

  /** Their account was deleted here. */
  async note(user: CurrentUser): Promise<void> {
    await (await this.load()).note(user);
  }

  async forget(user: CurrentUser): Promise<void> {
    await (await this.load()).forget(user);
  }

  async forgotten(id: string): Promise<void> {
    (await this.load()).forgotten(id);
  }

  private async load(): Promise<AccountEnds> {
    const { AccountEnds: Loaded } = await import('./account-ends.ts');
    return new Loaded(this.host);
  }
}
