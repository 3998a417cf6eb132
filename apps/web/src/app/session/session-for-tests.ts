import { Failure } from '@cairn/base/failure.ts';
import type { Backend } from '@cairn/sync/transport/backend.ts';
import type { CurrentUser, Device, DeviceSettings, EngineOptions } from '@cairn/sync/device.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import type { Channel } from '@cairn/sync/transport/platform.ts';
import { SealFailure } from '@cairn/sync/crypto/password-seal.ts';
import type { Store } from '@cairn/sync/store.ts';
import type { AuthFlows } from '../../shared/auth/auth-flows.ts';
import { gatedBackend } from './client/gated-backend.ts';
import type { BrowserKeys } from './account/ended-account.ts';
import { openDataKeyStore } from './device/data-key-store.ts';
import type {
  AuthGate,
  EndRefusal,
  GateEvents,
  OpenGate,
  SignInAnswer,
  StoredSession,
  Verdict,
} from './auth/auth-gate.ts';
import { openSessionTabs } from './device/session-tabs.ts';
import { requireOwnSession } from './own-session.ts';
import { SessionController } from './session-controller.ts';

export const sam: CurrentUser = { id: 'sam', email: 'sam@example.test', fullName: 'Sam Reed' };
export const session: StoredSession = { sessionToken: 'token', expiresAt: Date.parse('2026-11-22T08:00:00Z') };

const unused = (): never => {
  throw new Error('a session test moves no data');
};

const status: SyncStatus = {
  online: true,
  offlineByChoice: false,
  phase: 'idle',
  pendingItems: 0,
  pendingReports: 0,
  pendingFiles: 0,
  failed: 0,
  conflicts: 0,
  lockedOutbox: false,
  oldestPendingAt: null,
  lastPullAt: null,
  firstPull: false,
};

/** An engine of which only starting and stopping can be seen. */
class StillEngine implements SyncEngine {
  running = false;
  readonly store: Store;
  readonly options: EngineOptions;
  /** Times it was asked to push and pull now. */
  nudged = 0;

  constructor(options: EngineOptions, store: Store | null) {
    this.options = options;
    this.store = store ?? { owner: options.owner, watch: unused, read: unused, write: unused };
  }

  start = () => {
    this.running = true;
  };
  stop = async () => {
    this.running = false;
  };
  syncNow = () => {
    this.nudged += 1;
  };
  pending = async () => ({ records: status.pendingItems, files: status.pendingFiles });
  wrote = async () => [];
  watchStatus = (listener: (status: SyncStatus) => void) => {
    listener(status);
    return () => undefined;
  };
  check = unused;
  watchHealth = unused;
  watchOutbox = unused;
  watchConflicts = unused;
  watchReceipts = unused;
  watchSubmitted = unused;
  watchRenamed = () => () => undefined;
  sendFilesAnyway = unused;
  retry = unused;
  retryAll = unused;
  discard = unused;
  resolve = unused;
  file = unused;
  largeFiles = { held: unused, keep: unused, read: unused, forget: unused };
  offlineFiles = { watch: () => () => {}, want: unused, keep: unused, release: unused, mayFetch: unused };
  rescue = { pack: unused, unlock: unused, take: unused, submitOnBehalf: unused };
  lockedOutbox = { isThere: async () => false, unlock: unused };
  offlineChoice = { isOn: () => false, choose: unused };
  unfinished = { list: unused, keep: unused, forget: unused };
  storageUse = unused;
}

/** What the pretended server says, and what it was asked. */
function answers() {
  return {
    /** False: nothing can be loaded or asked. */
    reachable: true,
    /** What loading the library waits for. */
    loading: Promise.resolve(),
    verdict: { status: 'valid', user: sam, session } as Verdict,
    signIn: { ok: true, user: sam, session } as SignInAnswer,
    pending: { records: 0, files: 0 },
    /** Why an account is not ended; null ends it. */
    refusal: null as EndRefusal | null,
    /** Whose unsent work the device was told to close, with which words, and to bring back. */
    kept: [] as string[],
    returned: [] as string[],
    /** Whose copy the device was told to forget. */
    forgotten: [] as string[],
    /** The ways in beyond e-mail and password that a test uses. */
    flows: {} as AuthFlows,
    asked: [] as string[],
    /** What the library waits for when somebody leaves. */
    leaving: Promise.resolve(),
    /** Whose session the library has; null where nothing is said. */
    holder: null as string | null,
    events: null as GateEvents | null,
  };
}

type Server = ReturnType<typeof answers>;

const noBackend: Backend = {
  digest: unused,
  repair: unused,
  missing: unused,
  pull: unused,
  push: unused,
  submitOrphanedEdits: unused,
  submitOnBehalf: unused,
  receipt: unused,
  upload: unused,
  confirmUpload: unused,
  download: unused,
  downloadPart: unused,
  onNudge: unused,
};

const gateTo = (server: Server): AuthGate => ({
  backendOf: () => noBackend,
  flows: server.flows,
  async signIn(email, password) {
    server.asked.push(`signIn ${email} ${password}`);
    return server.signIn;
  },
  async verify() {
    server.asked.push('verify');
    return server.verdict;
  },
  holder: async () => server.holder,
  async renew() {
    server.asked.push('renew');
    return server.verdict;
  },
  async removeSampleData(organizationId) {
    server.asked.push(`removeSampleData ${organizationId}`);
  },
  push: {
    key: async () => 'key',
    save: async ({ endpoint }) => void server.asked.push(`push.save ${endpoint}`),
    remove: async endpoint => void server.asked.push(`push.remove ${endpoint}`),
  },
  near: unused,
  calls: { call: unused, rows: unused, insert: unused, send: unused },
  async storeUsage({ events }) {
    server.asked.push(`storeUsage ${events.map(({ id }) => id).join(' ')}`);
    return 'stored';
  },
  exportMe: unused,
  async endAccount(password) {
    server.asked.push(`endAccount ${password}`);
    return server.refusal;
  },
  async signOut() {
    server.asked.push('signOut');
    await server.leaving;
  },
});

function keysInMemory(): Device['dataKeys'] {
  const keys = new Map<string, string>();
  const held = new Set<string>();
  const key = new Uint8Array(32);
  return {
    has: async owner => keys.has(owner),
    async keep(owner, password) {
      keys.set(owner, password);
      held.add(owner);
    },
    held: async owner => (held.has(owner) ? { key, sealed: { salt: key, iv: key, body: key } } : null),
    letGo: async owner => void held.delete(owner),
    open: async (owner, password) => {
      if (keys.get(owner) !== password) throw new SealFailure('decrypt');
      return key;
    },
  };
}

type DefaultedPart = 'sealOutbox' | 'restoreSealedOutbox' | 'losses' | 'lossesSeen' | 'privateNotes' | 'sharedCopies';

const keptBy = (server: Server): Pick<Device, DefaultedPart> => ({
  privateNotes: () => Promise.reject(new Error('no notes in memory')),
  sharedCopies: () => Promise.reject(new Error('no copies in memory')),
  losses: async () => [],
  lossesSeen: () => undefined,
  async sealOutbox({ id }, words) {
    server.kept.push(words === null ? id : `${id} ${words}`);
    return true;
  },
  restoreSealedOutbox: async owner => void server.returned.push(owner),
});

const browserKeys = (local: Map<string, string>): BrowserKeys => ({
  names: () => [...local.keys()],
  getItem: name => local.get(name) ?? null,
  removeItem: name => void local.delete(name),
});

const settingsIn = (settings: Map<string, unknown>): Device['settings'] => ({
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the map holds what `set` was given under this key
  get: async key => (settings.get(key) ?? null) as DeviceSettings[typeof key] | null,
  set: async (key, value) => void settings.set(key, value),
  remove: async key => void settings.delete(key),
});

const sealedIn =
  (sealed: Map<string, string>): Device['sealedStorage'] =>
  prefix => ({
    getItem: async key => sealed.get(prefix + key) ?? null,
    setItem: async (key, value) => void sealed.set(prefix + key, value),
    removeItem: async key => void sealed.delete(prefix + key),
  });

/** The channel of a browser with one tab. */
const nobodyElse = (): Channel => ({ post: () => undefined, listen: () => () => undefined, close: () => undefined });

/** The way to the server, loaded once it is reachable. */
const opensTo =
  (server: ReturnType<typeof answers>): OpenGate =>
  async events => {
    await server.loading;
    if (!server.reachable) throw new Failure('offline', 'no network');
    server.events = events;
    return gateTo(server);
  };

/** A device in memory with the same settings, and a server that answers as told. */
export function deviceAndServer(
  kept: Partial<DeviceSettings> = {},
  store: Store | null = null,
  channel: Channel = nobodyElse(),
) {
  const settings = new Map<string, unknown>(Object.entries(kept));
  const sealed = new Map<string, string>();
  const engines: StillEngine[] = [];
  const server = answers();
  const device: Device = {
    id: 'device-1',
    settings: settingsIn(settings),
    sealedStorage: sealedIn(sealed),
    dataKeys: keysInMemory(),
    engineFor(options) {
      const engine = new StillEngine(options, store);
      engines.push(engine);
      return engine;
    },
    pendingOf: async () => server.pending,
    ...keptBy(server),
    rescueOf: () => ({ pack: unused, unlock: unused }),
    forgetPerson: async owner => void server.forgotten.push(owner),
    close: async () => undefined,
  };
  const tabs = openSessionTabs(channel);
  const local = new Map<string, string>();
  const storage = browserKeys(local);
  const controller = new SessionController({
    openDevice: async () => ({ device, backendOver: gatedBackend, keys: openDataKeyStore(device), tabs, storage }),
    openGate: opensTo(server),
    requireOwnSession,
    whenOnline: callback => callback(),
  });
  return { controller, server, settings, sealed, engines, local };
}
