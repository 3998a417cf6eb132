import { BackendError, type Backend } from '../transport/backend.ts';
import { PHASE, type Changes } from '../store/changes.ts';
import type { KeyValue, Network, Platform } from '../transport/platform.ts';

const KEY = 'cairn.stayOffline.';
/** Told to the other tabs when the choice changed. */
const CHOICE = '#choice';

/** Whether the person wants this device to send and fetch nothing for now. It outlives a restart. */
export interface OfflineChoice {
  isOn(): boolean;
  choose(on: boolean): void;
}

type Listener = Parameters<Network['onChange']>[0];

class Choice implements OfflineChoice {
  private readonly listeners = new Set<Listener>();
  private readonly keyValue: KeyValue;
  private readonly key: string;
  private readonly changes: Changes;

  constructor({ keyValue }: Platform, owner: string, changes: Changes) {
    this.keyValue = keyValue;
    this.key = KEY + owner;
    this.changes = changes;
    changes.on((names, fromOtherTab) => fromOtherTab && names.has(CHOICE) && this.tell());
  }

  isOn(): boolean {
    return this.keyValue.getItem(this.key) !== null;
  }

  choose(on: boolean): void {
    if (on) this.keyValue.setItem(this.key, 'on');
    else this.keyValue.removeItem(this.key);
    this.tell();
    this.changes.emit([CHOICE, PHASE]);
  }

  over(network: Network): Network {
    return {
      // Asked each time: what kind of network it is changes.
      isMobile: () => network.isMobile?.() === true,
      online: () => !this.isOn() && network.online(),
      onChange: listener => {
        this.listeners.add(listener);
        const stop = network.onChange(listener);
        return () => {
          this.listeners.delete(listener);
          stop();
        };
      },
    };
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.isOn() ? 'offline' : 'online');
  }
}

/** Every call of the engine fails as it would with no network while `isOn`. */
function closable(backend: Backend, isOn: () => boolean): Backend {
  const open = (): Backend => {
    if (isOn()) throw new BackendError('network', 'offline by choice');
    return backend;
  };
  return {
    digest: async (tables, signal) => open().digest(tables, signal),
    repair: async (request, signal) => open().repair(request, signal),
    missing: async (mids, signal) => open().missing(mids, signal),
    pull: async (request, signal) => open().pull(request, signal),
    push: async (device, mutations, signal) => open().push(device, mutations, signal),
    submitOrphanedEdits: async (organizationId, device, mutations, signal) =>
      open().submitOrphanedEdits(organizationId, device, mutations, signal),
    submitOnBehalf: async (work, signal) => open().submitOnBehalf(work, signal),
    receipt: async (request, signal) => open().receipt(request, signal),
    upload: async (file, onProgress, signal) => open().upload(file, onProgress, signal),
    confirmUpload: async (mediaId, signal) => open().confirmUpload(mediaId, signal),
    download: async (organizationId, mediaId, signal) => open().download(organizationId, mediaId, signal),
    downloadPart: async (part, signal) => open().downloadPart(part, signal),
    onNudge: (scopes, listener) => (isOn() ? () => undefined : backend.onNudge(scopes, listener)),
  };
}

type Parts = { platform: Platform; backend: Backend; owner: string };

/** The same parts of an engine, that keep still while the person wants to stay offline. */
export function withOfflineChoice<P extends Parts>(parts: P, changes: Changes): { parts: P; choice: OfflineChoice } {
  const choice = new Choice(parts.platform, parts.owner, changes);
  const platform = { ...parts.platform, network: choice.over(parts.platform.network) };
  const backend = closable(parts.backend, () => choice.isOn());
  return { parts: { ...parts, platform, backend }, choice };
}
