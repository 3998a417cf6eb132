import type { SettingsStore } from '@cairn/sync/device.ts';
import type { RememberedChoice } from './choose-space.ts';

const ORGANIZATION = 'cairn.currentOrganization';
const PLAYBOOK = 'cairn.currentPlaybook';
const TAKEN = 'cairn.takenActivation';

/** The choice of organisation and playbook, kept in local storage and in the device's settings (R3.37, R4.21). */
export class RememberedSpace {
  private readonly settings: SettingsStore;

  constructor(settings: SettingsStore) {
    this.settings = settings;
  }

  read(): RememberedChoice {
    return {
      organizationId: localStorage.getItem(ORGANIZATION),
      playbookId: localStorage.getItem(PLAYBOOK),
      taken: localStorage.getItem(TAKEN),
    };
  }

  /** Another organisation has other playbooks: with no playbook named, its choice starts empty (R4.22). */
  async choose({ organizationId, playbookId, taken = null }: RememberedChoice): Promise<void> {
    if (organizationId !== null) localStorage.setItem(ORGANIZATION, organizationId);
    if (taken !== null) localStorage.setItem(TAKEN, taken);
    if (playbookId === null) localStorage.removeItem(PLAYBOOK);
    else localStorage.setItem(PLAYBOOK, playbookId);
    if (organizationId !== null) await this.settings.set('selected_organization', { organizationId });
    if (playbookId === null) await this.settings.remove('selected_playbook');
    else await this.settings.set('selected_playbook', { playbookId });
  }
}
