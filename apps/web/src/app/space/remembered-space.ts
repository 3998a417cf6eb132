import type { SettingsStore } from '@cairn/sync/device.ts';

const ORGANIZATION = 'cairn.currentOrganization';
const PLAYBOOK = 'cairn.currentPlaybook';

/** The choice of organisation and playbook, kept in local storage and in the device's settings (R3.37, R4.21). */
export class RememberedSpace {
  private readonly settings: SettingsStore;

  constructor(settings: SettingsStore) {
    this.settings = settings;
  }

  read(): { organizationId: string | null; playbookId: string | null } {
    return { organizationId: localStorage.getItem(ORGANIZATION), playbookId: localStorage.getItem(PLAYBOOK) };
  }

  /** Another organisation has other playbooks: its choice starts empty (R4.22). */
  async chooseOrganization(organizationId: string): Promise<void> {
    localStorage.setItem(ORGANIZATION, organizationId);
    localStorage.removeItem(PLAYBOOK);
    await this.settings.set('selected_organization', { organizationId });
    await this.settings.remove('selected_playbook');
  }

  async choosePlaybook(playbookId: string): Promise<void> {
    localStorage.setItem(PLAYBOOK, playbookId);
    await this.settings.set('selected_playbook', { playbookId });
  }
}
