import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, conflicted, opened, OWNER, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openDB } from 'idb';
import { describe, expect, test } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import { openDevice } from '../device.ts';
import type { SyncEngine } from '../engine/engine.ts';
import { closeWithPassword } from '../crypto/password-seal.ts';
import { keyAt } from '../store/record-key.ts';
import { sealSections } from './sealed-snapshot.ts';
import type { RescueProblem } from './snapshot-refused.ts';

const WORDS = 'lighthouse over the northern quay';
const EMAIL = 'sam@example.test';
const WHOLE = { email: EMAIL, withPrivate: true };
const PHOTO = actionId(50);
const SECOND = actionId(51);

/** Somebody's phone with an edit, an insert and a photo that no server has. */
async function withWork(owner = OWNER) {
  const name = newId();
  const server = scripted(applied);
  const device = await openDevice({ name, platform: virtualPlatform() });
  const engine = device.engineFor({ owner, backend: server.backend });
  await engine.store.write('put', tx => tx.put('action_items', anAction(1, { title: 'Guard is loose' })));
  await takePhoto(engine, PHOTO);
  return { name, device, engine, server };
}

const takePhoto = (engine: SyncEngine, id: string) =>
  engine.store.write('photo', async tx => {
    const { organization_id } = anAction(1);
    const file = { mime: 'image/jpeg', bytes: 5, sha256: 'a'.repeat(64), captured_at: '2026-11-21T08:00:00Z' };
    await tx.put('media', { id, organization_id, captured_by: engine.store.owner, ...file });
    await tx.putBytes(id, new TextEncoder().encode('bytes').buffer);
  });

const titles = async (engine: SyncEngine) =>
  (await engine.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') })).map(
    ({ title }) => title,
  );
const changed = (file: Blob, at: number) =>
  file.arrayBuffer().then(buffer => {
    const bytes = new Uint8Array(buffer);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return new Blob([bytes]);
  });

describe('a rescue file', () => {
  test('brings records, photos and conflicts to another device under the ids they had; once, however often it is taken', async () => {
    const { engine, device } = await withWork();
    const file = await engine.rescue.pack(WORDS, WHOLE);
    const other = await opened(scripted(applied).backend);
    const unlocked = await other.engine.rescue.unlock(file, WORDS);
    expect(unlocked.contents).toMatchObject({ owner: { id: OWNER, email: EMAIL }, device: device.id });
    expect(await other.engine.rescue.take(unlocked)).toEqual({ entries: 2, files: 1, conflicts: 0 });
    expect(await other.engine.rescue.take(unlocked)).toEqual({ entries: 0, files: 0, conflicts: 0 });
    expect(await titles(other.engine)).toEqual(['Guard is loose']);
    const bytes = await other.engine.store.read({ key: 'b', tables: ['media'], read: tx => tx.bytes(PHOTO) });
    expect(new TextDecoder().decode(bytes)).toBe('bytes');
    await other.until(() => other.seen.outbox.length === 3);
    expect(await engine.rescue.take(await engine.rescue.unlock(file, WORDS))).toMatchObject({ entries: 0, files: 0 });
    await Promise.all([engine.stop(), other.engine.stop()]);
  });

  test('both devices send it: the server is told each id with one body, also when the first goes on editing', async () => {
    const first = await withWork();
    const file = await first.engine.rescue.pack(WORDS, WHOLE);
    await first.engine.store.write('on', tx => tx.change('action_items', actionId(1), { title: 'Guard is off' }));
    const second = scripted(applied);
    const other = await opened(second.backend);
    await other.engine.rescue.take(await other.engine.rescue.unlock(file, WORDS));
    await other.engine.store.write('too', tx => tx.change('action_items', actionId(1), { description: 'Bay 2' }));
    other.engine.start();
    await other.until(() => second.pushed.flat().length >= 3);
    first.engine.start();
    await expect.poll(() => first.server.pushed.flat().length).toBeGreaterThanOrEqual(3);
    const bodies = new Map<string, string>();
    for (const { at: _at, ...body } of [...first.server.pushed.flat(), ...second.pushed.flat()]) {
      expect(bodies.get(body.mid) ?? JSON.stringify(body)).toBe(JSON.stringify(body));
      bodies.set(body.mid, JSON.stringify(body));
    }
    expect(bodies.size).toBe(4);
    await Promise.all([first.engine.stop(), other.engine.stop()]);
  });

  test('carries an open conflict with base, mine and theirs, once; one settled meanwhile stays settled', async () => {
    const fields = [{ f: 'title', base: 'from the server', mine: 'mine', theirs: 'theirs' }];
    const row = serverRow(1, 5, { title: 'theirs' });
    const server = scripted(m =>
      m.op === 'update' ? { st: 'conflict', v: 5, row, cid: actionId(77), kind: 'fields', fields } : applied(m),
    );
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, change, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.conflicts.length === 1 && seen.status?.pendingItems === 0);
    const file = await engine.rescue.pack(WORDS, WHOLE);
    const other = await opened(scripted(applied).backend);
    const unlocked = await other.engine.rescue.unlock(file, WORDS);
    expect(await other.engine.rescue.take(unlocked)).toEqual({ entries: 0, files: 0, conflicts: 1 });
    await other.until(() => other.seen.conflicts.length === 1);
    expect(other.seen.conflicts).toMatchObject([{ id: actionId(77), fields, resolved: false }]);
    await engine.resolve(actionId(77), { keep: 'theirs' });
    expect(await engine.rescue.take(await engine.rescue.unlock(file, WORDS))).toMatchObject({ conflicts: 0 });
    await until(() => seen.conflicts.length === 1 && seen.conflicts[0]?.resolved === true);
    await Promise.all([engine.stop(), other.engine.stop()]);
  });

  test('with other words, cut off, changed, of a newer Cairn or no such file: it says which, and nothing is taken', async () => {
    const { engine } = await withWork();
    const file = await engine.rescue.pack(WORDS, WHOLE);
    const photo = new Blob(['\u00ff\u00d8 a photo of something else']);
    const newer = await changed(file, 8);
    const tried: [Blob, string, RescueProblem][] = [
      [file, 'another passphrase', 'locked'],
      [file.slice(0, 12), WORDS, 'damaged'],
      [file.slice(0, 25), WORDS, 'damaged'],
      [file.slice(0, 60), WORDS, 'damaged'],
      [file.slice(0, file.size - 1), WORDS, 'damaged'],
      [file.slice(0, file.size - 5 - 16 - 16), WORDS, 'damaged'],
      [await changed(file, 12), WORDS, 'locked'],
      [await changed(file, 120), WORDS, 'locked'],
      [photo, WORDS, 'foreign'],
      [new Blob([]), WORDS, 'foreign'],
      [new Blob([await newer.slice(0, 8).arrayBuffer(), new Uint8Array([9]), newer.slice(9)]), WORDS, 'newer'],
    ];
    const other = await opened(scripted(applied).backend);
    for (const [given, words, problem] of tried)
      await expect(other.engine.rescue.unlock(given, words)).rejects.toMatchObject({ problem });
    const changedPhoto = await other.engine.rescue.unlock(await changed(file, file.size - 3), WORDS);
    await expect(other.engine.rescue.take(changedPhoto)).rejects.toMatchObject({ problem: 'locked' });
    expect([await titles(other.engine), other.seen.outbox]).toEqual([[], []]);
    await Promise.all([engine.stop(), other.engine.stop()]);
  });

  test("somebody else's file goes into nobody's outbox; its private part is left out where that was asked", async () => {
    const { engine } = await withWork(newId());
    const unlocked = await engine.rescue.unlock(await engine.rescue.pack(WORDS, WHOLE), WORDS);
    const other = await opened(scripted(applied).backend);
    await expect(other.engine.rescue.take(unlocked)).rejects.toMatchObject({ problem: 'foreign' });
    // This device does not know the organisation as a company: what may be private counts as private.
    const given = await engine.rescue.pack(WORDS, { email: EMAIL, withPrivate: false });
    expect((await engine.rescue.unlock(given, WORDS)).contents).toMatchObject({ entries: [], files: [], records: [] });
    await Promise.all([engine.stop(), other.engine.stop()]);
  });

  test('an administrator brings it to the review queue, in the order it was made, with its photo', async () => {
    const { engine } = await withWork();
    const file = await engine.rescue.pack(WORDS, WHOLE);
    const server = scripted(applied);
    const admin = await opened(server.backend);
    const unlocked = await admin.engine.rescue.unlock(file, WORDS);
    const organization = anAction(1).organization_id;
    const answer = await admin.engine.rescue.submitOnBehalf(unlocked, organization);
    expect(answer).toEqual({ accepted: 2, known: [], refused: [], files: 1 });
    expect(server.submitted.flat().map(({ t, op }) => [t, op])).toEqual([
      ['action_items', 'insert'],
      ['media', 'insert'],
    ]);
    expect(server.uploads).toEqual([PHOTO]);
    expect(await admin.engine.rescue.submitOnBehalf(unlocked, newId())).toEqual({
      accepted: 0,
      known: [],
      refused: [],
      files: 0,
    });
    await Promise.all([engine.stop(), admin.engine.stop()]);
  });
});

describe('a choice that was not sent yet, brought by an administrator', () => {
  test.for([
    [
      'mine goes to the review queue as the edit it is',
      'mine',
      [{ id: actionId(1), op: 'update', patch: { title: 'mine' } }],
    ],
    ['theirs says nothing', 'theirs', []],
  ] as const)('%s', async ([, keep, edits]) => {
    const phone = scripted(conflicted);
    phone.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, change, network, seen, until } = await opened(phone.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.conflicts.length === 1);
    network.set(false);
    await engine.resolve(actionId(77), { keep });
    await until(() => seen.outbox.length === 1);
    const file = await engine.rescue.pack(WORDS, WHOLE);
    const server = scripted(applied);
    const admin = await opened(server.backend);
    const unlocked = await admin.engine.rescue.unlock(file, WORDS);
    const answer = await admin.engine.rescue.submitOnBehalf(unlocked, serverRow(1, 3).organization_id);
    expect(answer).toMatchObject({ accepted: edits.length, refused: [] });
    expect(server.submitted.flat()).toMatchObject(edits);
    for (const edit of server.submitted.flat()) expect(edit).not.toHaveProperty('conflict');
    await Promise.all([engine.stop(), admin.engine.stop()]);
  });
});

/** An administrator who opened a file with two photos, and what the server says of the first. */
async function bringing(says: BackendError | string) {
  const { engine } = await withWork();
  await takePhoto(engine, SECOND);
  const file = await engine.rescue.pack(WORDS, WHOLE);
  await engine.stop();
  const server = scripted(applied);
  const { confirmUpload } = server.backend;
  server.backend.confirmUpload = async (id, signal) => {
    if (id !== PHOTO) return confirmUpload(id, signal);
    if (typeof says === 'string') return { sha256: says, bytes: 5 };
    throw says;
  };
  const admin = await opened(server.backend);
  const unlocked = await admin.engine.rescue.unlock(file, WORDS);
  expect(unlocked.contents.files.map(({ id }) => id)).toEqual([PHOTO, SECOND]);
  return { server, bring: () => admin.engine.rescue.submitOnBehalf(unlocked, anAction(1).organization_id), admin };
}

describe('a photo of a brought file the server has not whole', () => {
  test.for([
    ['something else lies there', new BackendError('mismatch', 'differs', 'hash_mismatch')],
    ['nothing lies there', new BackendError('busy', 'not stored', 'not_uploaded')],
    ['it is told of no such file', new BackendError('refused', 'no', 'not_found')],
    ['its hash is another', 'b'.repeat(64)],
  ] as const)('is not counted, and stops none behind it: %s', async ([, says]) => {
    const { server, bring, admin } = await bringing(says);
    expect(await bring()).toMatchObject({ accepted: 3, files: 1 });
    expect(server.uploads).toEqual([PHOTO, SECOND]);
    await admin.engine.stop();
  });

  test('a server that gave no answer is asked again, by whoever brings it', async () => {
    for (const error of [new BackendError('network', 'cut'), new BackendError('busy', 'slow', '502')]) {
      const { bring, admin } = await bringing(error);
      await expect(bring()).rejects.toBe(error);
      await admin.engine.stop();
    }
  });
});

async function* sectionOf(contents: object) {
  yield new TextEncoder().encode(JSON.stringify(contents));
}

/** As a device stands after its organisation's review queue took everything but the bytes of the photo. */
async function submitOrphans(name: string): Promise<void> {
  const db = await openDB(name);
  for (const entry of await db.getAll('sync_queue'))
    if (entry.operation !== 'upload') await db.delete('sync_queue', entry.seq);
  await db.clear('tasks');
  const row = keyAt(OWNER, 'media', PHOTO);
  await db.put('media', { ...(await db.get('media', row)), isSubmitted: true }, row);
  db.close();
}

async function everythingIn(name: string): Promise<string> {
  const db = await openDB(name);
  const all: unknown[] = [];
  for (const store of Array.from(db.objectStoreNames)) all.push(...(await db.getAll(store)));
  db.close();
  const texts = await Promise.all(all.map(textOf));
  return texts.join('\n');
}

async function textOf(value: unknown): Promise<string> {
  if (value instanceof Blob) return value.text();
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return (await Promise.all(Object.values(value).map(textOf))).join(' ');
}

describe('unsent work of somebody who signed out', () => {
  const PASSWORD = 'a password nobody stores';
  const person = { id: OWNER, email: EMAIL };
  const again = (device: Awaited<ReturnType<typeof withWork>>['device']) =>
    device.engineFor({ owner: OWNER, backend: scripted(applied).backend });

  test('lies sealed with their data key until they return with their password, and is whole then', async () => {
    const { name, device, engine } = await withWork();
    await device.dataKeys.keep(OWNER, PASSWORD);
    await engine.stop();
    expect(await everythingIn(name)).toContain('Guard is loose');
    expect(await device.sealOutbox(person, null)).toBe(true);
    await device.dataKeys.letGo(OWNER);
    const sealed = await everythingIn(name);
    for (const word of ['Guard is loose', 'bytes', EMAIL]) expect(sealed).not.toContain(word);
    expect(await device.pendingOf(OWNER)).toEqual({ records: 0, files: 0 });

    await device.dataKeys.keep(OWNER, PASSWORD);
    await device.restoreSealedOutbox(OWNER);
    const back = again(device);
    expect(await titles(back)).toEqual(['Guard is loose']);
    expect(await device.pendingOf(OWNER)).toEqual({ records: 1, files: 1 });
    expect(await back.lockedOutbox.isThere()).toBe(false);
    await back.stop();
  });

  test('with a new password it waits for the old one, and is lost to neither', async () => {
    const { device, engine } = await withWork();
    await device.dataKeys.keep(OWNER, PASSWORD);
    await engine.stop();
    await device.sealOutbox(person, null);
    await device.dataKeys.letGo(OWNER);
    await device.dataKeys.keep(OWNER, 'chosen on another device');
    await device.restoreSealedOutbox(OWNER);
    const back = again(device);
    expect(await titles(back)).toEqual([]);
    expect(await back.lockedOutbox.isThere()).toBe(true);
    const told: boolean[] = [];
    back.watchStatus(({ lockedOutbox }) => told.push(lockedOutbox));
    await expect.poll(() => told).toEqual([true]);
    await expect(back.lockedOutbox.unlock('chosen on another device')).rejects.toThrow('incorrect password');
    expect(await back.lockedOutbox.unlock(PASSWORD)).toMatchObject({ entries: 2, files: 1 });
    expect(await titles(back)).toEqual(['Guard is loose']);
    await back.stop();
  });

  test('of who signed in without a password is closed with words of their own; with none it stays open', async () => {
    const { device, engine } = await withWork();
    await engine.stop();
    expect(await device.sealOutbox(person, null)).toBe(false);
    expect(await device.pendingOf(OWNER)).toEqual({ records: 1, files: 1 });
    expect(await device.sealOutbox(person, WORDS)).toBe(true);
    const back = again(device);
    expect(await back.lockedOutbox.unlock(WORDS)).toMatchObject({ entries: 2, files: 1 });
    await back.stop();
    expect(await device.sealOutbox({ id: newId(), email: EMAIL }, WORDS)).toBe(false);
  });

  test("a photo of submitted work comes back with what it is, and is sent into the organisation's review queue", async () => {
    const { name, device, engine } = await withWork();
    await engine.stop();
    await submitOrphans(name);
    expect(await device.sealOutbox(person, WORDS)).toBe(true);
    expect(await device.pendingOf(OWNER)).toEqual({ records: 0, files: 0 });
    const server = scripted(applied);
    const back = device.engineFor({ owner: OWNER, backend: server.backend });
    expect(await back.lockedOutbox.unlock(WORDS)).toMatchObject({ entries: 0, files: 1 });
    expect(await back.lockedOutbox.isThere()).toBe(false);
    // It goes with the next sign-out as it went with the first.
    expect(await device.sealOutbox(person, WORDS)).toBe(true);
    expect(await everythingIn(name)).not.toContain('image/jpeg');
    expect(await back.lockedOutbox.unlock(WORDS)).toMatchObject({ files: 1 });
    back.start();
    await expect.poll(() => server.uploads).toEqual([PHOTO]);
    await expect.poll(() => device.pendingOf(OWNER)).toEqual({ records: 0, files: 0 });
    expect(server.pushed).toEqual([]);
    await back.stop();
  });

  test('comes back to a full device word by word first; files make room for theirs, or come once there is some', async () => {
    const { name, device, engine } = await withWork();
    await takePhoto(engine, SECOND);
    await engine.stop();
    await device.sealOutbox(person, WORDS);
    const back = again(device);
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value: { type?: string; id?: string }, ...key) {
      if (value.type === 'media_bytes' && value.id === SECOND) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, ...key);
    };
    await expect(back.lockedOutbox.unlock(WORDS)).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect(await titles(back)).toEqual(['Guard is loose']);
    expect(await device.pendingOf(OWNER)).toEqual({ records: 3, files: 0 });
    expect(await back.lockedOutbox.isThere()).toBe(true);
    // Bytes nothing waits for would lie in clear for good.
    expect(await back.store.read({ key: 'b', tables: ['media'], read: tx => tx.bytes(PHOTO) })).toBeUndefined();

    const sent = { id: actionId(60), type: 'media_bytes', owner: newId(), isDirty: false, lastSync: 1, keys: [] };
    const db = await openDB(name);
    IDBObjectStore.prototype.put = put;
    const other = keyAt(sent.owner, 'media_bytes', sent.id);
    await db.put('media', { ...sent, data: { bytes: new ArrayBuffer(9) } }, other);
    IDBObjectStore.prototype.put = function (value: { type?: string }, ...key) {
      if (value.type === 'media_bytes' && !isFreed) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, ...key);
    };
    const remove = IDBObjectStore.prototype.delete;
    let isFreed = false;
    IDBObjectStore.prototype.delete = function (key) {
      isFreed = true;
      return remove.call(this, key);
    };
    try {
      expect(await back.lockedOutbox.unlock(WORDS)).toEqual({ entries: 0, files: 2, conflicts: 0 });
    } finally {
      Object.assign(IDBObjectStore.prototype, { put, delete: remove });
    }
    expect(await db.get('media', other)).toBeUndefined();
    expect(await device.pendingOf(OWNER)).toEqual({ records: 1, files: 2 });
    expect(await back.lockedOutbox.isThere()).toBe(false);
    db.close();
    await back.stop();
  });

  test('of a table only a newer Cairn knows waits for it, whole', async () => {
    const { name, device, engine } = await withWork();
    await engine.stop();
    const key = crypto.getRandomValues(new Uint8Array(32));
    const entry = { dataType: 'of_tomorrow', operation: 'insert', dataId: newId(), mid: newId(), data: {} };
    const nothing = { organizations: [], records: [], conflicts: [], files: [] };
    const contents = { version: 1, owner: { id: OWNER, email: EMAIL }, device: device.id, madeAt: 0, ...nothing };
    const file = await sealSections(btoa(String.fromCharCode(...key)), sectionOf({ ...contents, entries: [entry] }));
    const db = await openDB(name);
    const value = { file, sealed: await closeWithPassword(key, PASSWORD) };
    await db.put('meta', { owner: OWNER, name: 'sealed_outbox', value });
    db.close();
    const back = again(device);
    await expect(back.lockedOutbox.unlock(PASSWORD)).rejects.toMatchObject({ problem: 'newer' });
    expect(await back.lockedOutbox.isThere()).toBe(true);
    await back.stop();
  });
});

test('who wants to stay offline sends nothing, even when asked to now; then everything goes', async () => {
  const server = scripted(applied);
  const { engine, put, until, seen } = await opened(server.backend);
  engine.offlineChoice.choose(true);
  await put(1, { title: 'waits' });
  engine.start();
  engine.syncNow();
  await until(() => seen.status?.offlineByChoice === true && seen.status.pendingItems === 1);
  for (const attempts of [1, 2, 3]) {
    engine.syncNow();
    await until(() => (seen.outbox[0]?.attempts ?? 0) >= attempts, 60_000);
  }
  expect([server.pushed, server.pulls, seen.status?.online]).toEqual([[], [], false]);
  expect(engine.offlineChoice.isOn()).toBe(true);
  engine.offlineChoice.choose(false);
  await until(() => seen.status?.pendingItems === 0);
  expect(server.pushed).toHaveLength(1);
  await engine.stop();
});

test("the wish to stay offline outlives a restart, and is nobody else's", async () => {
  const { device, engine } = await withWork();
  engine.offlineChoice.choose(true);
  await engine.stop();
  const open = (owner: string) => device.engineFor({ owner, backend: scripted(applied).backend });
  const [again, other] = [open(OWNER), open(newId())];
  expect([again.offlineChoice.isOn(), other.offlineChoice.isOn()]).toEqual([true, false]);
  await Promise.all([again.stop(), other.stop()]);
});

test('the room each area takes is told, the largest first', async () => {
  const { engine } = await withWork();
  const use = await engine.storageUse();
  expect(use.map(({ area }) => area).toSorted()).toEqual(['files', 'media', 'outbox', 'tasks']);
  expect(use.find(({ area }) => area === 'files')).toEqual({ area: 'files', records: 1, bytes: 5 });
  expect(use.map(({ bytes }) => bytes)).toEqual(use.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
  await engine.stop();
});
