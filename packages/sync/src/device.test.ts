import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { virtualDevice, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openDB } from 'idb';
import { expect, test } from 'vitest';
import { RECORD_STORES } from './store/database-schema.ts';
import { DATABASE_NAME, openDatabase } from './store/database.ts';
import { keyAt } from './store/record-key.ts';
import { openDevice } from './device.ts';

const TOKEN = 'eyJhbGciOi.super.secret';

async function everythingIn(name: string): Promise<string> {
  const db = await openDB(name);
  const all: unknown[] = [];
  for (const store of Array.from(db.objectStoreNames)) all.push(await db.getAll(store));
  db.close();
  return JSON.stringify(all);
}

test('R3.32 the device database is cairn_mobile, at version 2', async () => {
  const device = await openDevice({ platform: virtualPlatform() });
  await device.close();
  const db = await openDB(DATABASE_NAME);
  expect([db.name, db.version]).toEqual(['cairn_mobile', 2]);
  db.close();
});

test('R3.33 it holds the eleven stores, the queue, the conflicts and meta', async () => {
  const name = newId();
  (await openDatabase(name)).close();
  const db = await openDB(name);
  const given = 'tasks policies forms inspections training media scans users settings lifecycle_status issue_reports';
  expect(new Set(db.objectStoreNames)).toEqual(new Set([...given.split(' '), 'sync_queue', 'conflicts', 'meta']));
  expect(RECORD_STORES).toEqual(given.split(' '));
  db.close();
});

test('R3.37 session, choices and person lie under their keys in settings and users; the token only sealed', async () => {
  const name = newId();
  const device = await openDevice({ name, platform: virtualPlatform() });
  await device.settings.set('auth_session', { sessionToken: TOKEN, expiresAt: 5 });
  await device.settings.set('selected_organization', { organizationId: 'o' });
  await device.settings.set('selected_playbook', { playbookId: 'p' });
  await device.settings.set('current_user', { id: 'u', email: 'a@b.test', fullName: null });
  await device.close();

  const db = await openDB(name);
  expect((await db.getAll('settings')).map(({ id }) => id)).toEqual([
    'auth_session',
    'selected_organization',
    'selected_playbook',
  ]);
  expect(Object.keys((await db.get('settings', keyAt('', 'setting', 'auth_session'))).data)).toEqual([
    'sessionToken',
    'expiresAt',
  ]);
  expect((await db.getAll('users')).map(({ id }) => id)).toEqual(['current_user']);
  db.close();
  expect(await everythingIn(name)).not.toContain(TOKEN);

  const again = await openDevice({ name, platform: virtualPlatform() });
  expect(await again.settings.get('auth_session')).toEqual({ sessionToken: TOKEN, expiresAt: 5 });
  expect(await again.settings.get('current_user')).toMatchObject({ email: 'a@b.test' });
  await again.settings.remove('auth_session');
  expect(await again.settings.get('auth_session')).toBeNull();
  expect(again.id).toBe(device.id);
  await again.close();
});

test('what supabase-js stores is sealed in local storage, never twice alike, and unreadable with another key', async () => {
  const shared = virtualDevice();
  const device = await openDevice({ name: newId(), platform: virtualPlatform({ device: shared }) });
  const storage = device.sealedStorage('cairn.');
  await storage.setItem('session', TOKEN);
  const first = shared.stored.get('cairn.session');
  await storage.setItem('session', TOKEN);
  expect(first).not.toContain(TOKEN);
  expect(shared.stored.get('cairn.session')).not.toBe(first);
  expect(await storage.getItem('session')).toBe(TOKEN);

  const wiped = await openDevice({ name: newId(), platform: virtualPlatform({ device: shared }) });
  expect(await wiped.sealedStorage('cairn.').getItem('session')).toBeNull();
  await storage.removeItem('session');
  expect(await storage.getItem('session')).toBeNull();
});

test('a phone that dies before localStorage is written down keeps its newest session', async () => {
  const shared = virtualDevice();
  const name = newId();
  const device = await openDevice({ name, platform: virtualPlatform({ device: shared }) });
  await device.sealedStorage('cairn.').setItem('session', 'first');
  const written = new Map(shared.stored);
  await device.sealedStorage('cairn.').setItem('session', 'second');
  await device.close();
  shared.stored.clear();
  for (const [key, value] of written) shared.stored.set(key, value);

  const again = await openDevice({ name, platform: virtualPlatform({ device: shared }) });
  expect(await again.sealedStorage('cairn.').getItem('session')).toBe('second');
  await again.close();
});

test('version 1 comes over whole: records find their person, the clear token does not', async () => {
  const name = newId();
  const old = await openDB(name, 1, {
    upgrade: db => RECORD_STORES.forEach(store => db.createObjectStore(store, { keyPath: 'id' })),
  });
  const record = { lastSync: 1, isDirty: true, syncPriority: 2 };
  await old.put('users', { ...record, id: 'current_user', type: 'user', data: { id: 'u1' } });
  await old.put('settings', { ...record, id: 'auth_session', type: 'setting', data: { sessionToken: TOKEN } });
  await old.put('tasks', { ...record, id: 't1', type: 'task', data: { title: 'kept' } });
  old.close();

  (await openDatabase(name)).close();
  const db = await openDB(name);
  expect(await db.get('tasks', keyAt('u1', 'task', 't1'))).toMatchObject({
    ...record,
    data: { title: 'kept' },
    owner: 'u1',
  });
  db.close();
  expect(await everythingIn(name)).not.toContain(TOKEN);
});

test('a database that newer code has opened is refused with stale_version', async () => {
  const name = newId();
  (await openDB(name, 3)).close();
  await expect(openDatabase(name)).rejects.toMatchObject({ code: 'stale_version' });
});

test('newer code elsewhere closes this connection; the next transaction fails visibly instead of hanging', async () => {
  const name = newId();
  const db = await openDatabase(name);
  (await openDB(name, 3)).close();
  await expect(db.transaction(['tasks'], 'readwrite')).rejects.toMatchObject({ code: 'stale_version' });
});
