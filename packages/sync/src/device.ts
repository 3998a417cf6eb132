import { newId } from '@cairn/base/id.ts';
import type { Backend } from './transport/backend.ts';
import { browserPlatform } from './transport/browser-platform.ts';
import { openDatabase, type LocalDatabase } from './store/database.ts';
import { openDataKeys, type DataKeys } from './crypto/data-keys.ts';
import type { SyncEngine } from './engine/engine.ts';
import type { Fault } from './transport/fault.ts';
import { pendingOf } from './outbox/overview.ts';
import { renewAtOpening } from './store/older-strings.ts';
import type { Platform } from './transport/platform.ts';
import type { PrivateNotes } from './crypto/private-notes.ts';
import { keyAt, keyOf } from './store/record-key.ts';
import type { Rescue } from './recovery/rescue.ts';
import { hasSealedOutbox, rescueOf } from './recovery/lazy-rescue.ts';
import { dropOwnBackup, hasBackup } from './transport/backup-files.ts';
import { emptyRecord } from './store/record.ts';
import { openSeal, type SecretSealer } from './crypto/seal.ts';
import { openDataLossCanary, type Loss, type DataLossCanary } from './store/data-loss-canary.ts';
import type { SharedCopies } from './files/shared-copies.ts';
import { openSealedStorage, type SealedStorage } from './crypto/sealed-storage.ts';
import { forgetAll } from './access/forget-person.ts';
import { metaOf } from './store/session.ts';
import { DEVICE, DEVICE_ID } from './store/stored.ts';
import { openEngine } from './engine/sync-engine.ts';

/** The signed-in person as this device remembers them, so that the app opens with no network. */
export type CurrentUser = { id: string; email: string; fullName: string | null };

/**
 * Device-wide values under their specified keys; `expiresAt` and `tokenEndsAt` in ms since 1970 by this device's clock, the
 * end of the stored session and that of its token.
 */
export type DeviceSettings = {
  auth_session: { sessionToken: string; expiresAt: number; tokenEndsAt?: number };
  selected_organization: { organizationId: string };
  selected_playbook: { playbookId: string };
  current_user: CurrentUser;
  ended_accounts: {
    people: EndedPerson[];
    /** SHA-256, hex, of the ids of those who were forgotten, and when anything of them was last seen in local storage, ms since 1970. */
    forgotten?: { hash: string; seenAt: number }[];
  };
};

/** Whose account was deleted elsewhere while this device held something of theirs. `forget`: they chose that all of it goes. */
export type EndedPerson = CurrentUser & { forget: boolean };

export interface SettingsStore {
  get<K extends keyof DeviceSettings>(key: K): Promise<DeviceSettings[K] | null>;
  set<K extends keyof DeviceSettings>(key: K, value: DeviceSettings[K]): Promise<void>;
  remove(key: keyof DeviceSettings): Promise<void>;
}

export type EngineOptions = {
  /** The signed-in person's id; reads and sends nothing of anybody else. */
  owner: string;
  backend: Backend;
  /** Called when the server refused the token; sending goes on once it resolves. */
  refreshToken?: () => Promise<void>;
  /** Hears of what should not have happened; `SyncEngine.watchHealth` lists the same. */
  onFault?: (fault: Fault) => void;
  /** The server has just let this person in: what the device holds of them is compared with it. */
  signedInNow?: boolean;
};

export interface Device {
  /** Made with the database, never reused. */
  readonly id: string;
  readonly settings: SettingsStore;
  sealedStorage(prefix: string): SealedStorage;
  /** What tells a person by their password without a server. */
  readonly dataKeys: DataKeys;
  /** Notes of a person that nobody else reads, the server neither. */
  privateNotes(owner: string): Promise<PrivateNotes>;
  /** What others let a person see, as it was read last. */
  sharedCopies(owner: string): Promise<SharedCopies>;
  engineFor(options: EngineOptions): SyncEngine;
  /** Work of a person that no server has acknowledged yet, for the question at sign-out. */
  pendingOf(owner: string): Promise<{ records: number; files: number }>;
  /**
   * Unsent work that went with a database this browser threw away, and what came back of it, until `lossesSeen`. Not told of:
   * what lies in a copy that its owner's next sign-in brings back.
   */
  losses(): Promise<Loss[]>;
  lossesSeen(shown: readonly Loss[]): void;
  /**
   * Closes the unsent work of somebody who signs out, whose engine has stopped, with their data key; nobody opens it
   * before their next sign-in. @param words open it in place of a password, where this device was never given one
   * @returns whether it is closed; otherwise it stays as it was
   */
  sealOutbox(person: { id: string; email: string }, words: string | null): Promise<boolean>;
  /** Puts back what `keepWork` closed, before the engine starts, where the password given since opens it. */
  restoreSealedOutbox(owner: string): Promise<void>;
  /** Unsent work of somebody who is not signed in any more, as a file that only its passphrase opens. */
  rescueOf(owner: string): Pick<Rescue, 'pack' | 'unlock'>;
  /**
   * Forgets everything of a person whose account has ended, sent or not. Their engine must have stopped here; for one of another tab
   * it waits a while. Doing it again is safe.
   */
  forgetPerson(owner: string): Promise<void>;
  close(): Promise<void>;
}

export type DeviceOptions = { name?: string; platform?: Platform };

/** The store and the id each setting lies under. */
const PLACE: Record<keyof DeviceSettings, 'settings' | 'users'> = {
  auth_session: 'settings',
  selected_organization: 'settings',
  selected_playbook: 'settings',
  current_user: 'users',
  ended_accounts: 'users',
};
const SETTING = 'setting';

function openSettings(db: LocalDatabase, seal: SecretSealer): SettingsStore {
  const sealed = async (value: DeviceSettings['auth_session']) => ({
    ...value,
    sessionToken: await seal.close(value.sessionToken),
  });
  return {
    async get<K extends keyof DeviceSettings>(key: K) {
      const tx = await db.transaction([PLACE[key]], 'readonly');
      const data = (await tx.objectStore(PLACE[key]).get(keyAt(DEVICE, SETTING, key)))?.data;
      if (!data) return null;
      if (key !== 'auth_session') return data as DeviceSettings[K];
      const clear = await seal.open(String(data['sessionToken']));
      return clear === null ? null : ({ ...data, sessionToken: clear } as DeviceSettings[K]);
    },
    async set(key, value) {
      const data = 'sessionToken' in value ? await sealed(value) : value;
      const record = { ...emptyRecord(DEVICE, 'profiles', key), type: SETTING, data: { ...data } };
      const tx = await db.transaction([PLACE[key]], 'readwrite', 'strict');
      await tx.objectStore(PLACE[key]).put(record, keyOf(record));
      await tx.done;
    },
    async remove(key) {
      const tx = await db.transaction([PLACE[key]], 'readwrite', 'strict');
      await tx.objectStore(PLACE[key]).delete(keyAt(DEVICE, SETTING, key));
      await tx.done;
    },
  };
}

async function deviceId(db: LocalDatabase): Promise<string> {
  // Every start asks: only the first one has to wait for the right to write.
  const kept = await metaOf<string>(await db.transaction(['meta'], 'readonly'), DEVICE, DEVICE_ID);
  if (kept !== undefined) return kept;
  const tx = await db.transaction(['meta'], 'readwrite', 'strict');
  const known = await metaOf<string>(tx, DEVICE, DEVICE_ID);
  const id = known ?? newId();
  if (!known) await tx.objectStore('meta').put({ owner: DEVICE, name: DEVICE_ID, value: id });
  await tx.done;
  return id;
}

type DeviceScope = { db: LocalDatabase; owner: string; platform: Platform; device: string };

/** What was closed at a sign-out must not lie open beside it: then nothing waits any more. */
async function dropUseless({ db, owner, platform, device }: DeviceScope) {
  const { records, files } = await pendingOf({ db, owner });
  if (records + files === 0) await dropOwnBackup({ platform, owner }, device);
}

async function lossesOf(canary: DataLossCanary, platform: Platform): Promise<Loss[]> {
  const all = canary.losses();
  const waits = await Promise.all(all.map(async loss => !loss.returned && (await hasBackup(platform, loss.owner))));
  return all.filter((_loss, at) => !waits[at]);
}

/**
 * Opens the device's database (`cairn_mobile` unless named).
 *
 * @throws {Failure} `stale_version` when a newer Cairn has already opened it on this device
 */
export async function openDevice({ name, platform = browserPlatform() }: DeviceOptions = {}): Promise<Device> {
  const db = await openDatabase(name);
  const [id] = await Promise.all([deviceId(db), renewAtOpening(db)]);
  const seal = openSeal(db);
  const canary = openDataLossCanary(platform.keyValue, id, () => platform.clock.now());
  const dataKeys = openDataKeys(db, seal);
  const place = () => ({ db, dataKeys, device: id, now: platform.clock.now() });
  return {
    id,
    settings: openSettings(db, seal),
    sealedStorage: prefix => openSealedStorage({ db, prefix, keyValue: platform.keyValue, seal }),
    dataKeys,
    privateNotes: async owner => (await import('./crypto/private-notes.ts')).openPrivateNotes({ db, seal, owner }),
    sharedCopies: async owner => (await import('./files/shared-copies.ts')).openSharedCopies({ db, seal, owner }),
    engineFor: options => openEngine({ ...options, db, platform, device: id, canary }),
    pendingOf: owner => pendingOf({ db, owner }),
    async sealOutbox(person, words) {
      const closed = await (await import('./recovery/sealed-outbox.ts')).sealOutbox(place(), person, words);
      await dropUseless({ db, owner: person.id, platform, device: id });
      return closed;
    },
    async restoreSealedOutbox(owner) {
      if (await hasSealedOutbox(db, owner))
        await (await import('./recovery/sealed-outbox.ts')).restoreSealedOutbox(place(), owner);
    },
    losses: () => lossesOf(canary, platform),
    lossesSeen: shown => canary.seen(shown),
    rescueOf: owner => rescueOf({ db, owner, device: id, now: () => platform.clock.now() }),
    forgetPerson: owner => forgetAll({ db, owner, platform, canary }),
    async close() {
      db.close();
    },
  };
}
