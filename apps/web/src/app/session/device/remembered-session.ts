import type { CurrentUser, Device, DeviceSettings } from '@cairn/sync/device.ts';
import type { StoredSession } from '../auth/auth-gate.ts';

/** What a device remembers of whoever is signed in, changed one step at a time, so that nothing is remembered half while it is forgotten. */
export class RememberedSession {
  private readonly device: () => Device;
  private turn: Promise<void> = Promise.resolve();

  constructor(device: () => Device) {
    this.device = device;
  }

  inTurn(step: () => Promise<void>): Promise<void> {
    const next = this.turn.then(step);
    this.turn = next.catch(() => undefined);
    return next;
  }

  async write(user: CurrentUser, session: StoredSession): Promise<void> {
    const { settings } = this.device();
    await settings.set('current_user', user);
    await settings.set('auth_session', session);
  }

  /** Of whom, and with which token; null where nobody is signed in. */
  async read(): Promise<{ user: CurrentUser; session: StoredSession } | null> {
    const { settings } = this.device();
    const [user, session] = await Promise.all([settings.get('current_user'), settings.get('auth_session')]);
    return user && session && { user, session };
  }

  async forget(...keys: (keyof DeviceSettings)[]): Promise<void> {
    for (const key of keys) await this.device().settings.remove(key);
  }
}
