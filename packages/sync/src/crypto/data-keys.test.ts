import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openDB } from 'idb';
import { expect, test } from 'vitest';
import { openDataKeys } from './data-keys.ts';
import { openDatabase } from '../store/database.ts';
import { openDevice } from '../device.ts';
import { openSeal } from './seal.ts';

const SAM = '00000000-0000-4000-8000-000000000003';
const PASSWORD = 'a password nobody stores';
const TOKEN = 'eyJhbGciOi.super.secret';

test('a data key opens with the password it was kept with, and stays the same', async () => {
  const device = await openDevice({ name: newId(), platform: virtualPlatform() });
  expect(await device.dataKeys.has(SAM)).toBe(false);
  await device.dataKeys.keep(SAM, PASSWORD);
  const key = await device.dataKeys.open(SAM, PASSWORD);
  await device.dataKeys.keep(SAM, PASSWORD);
  expect(key).toHaveLength(32);
  expect(await device.dataKeys.open(SAM, PASSWORD)).toEqual(key);
  await expect(device.dataKeys.open(SAM, 'another')).rejects.toThrow('incorrect password');
  await device.close();
});

test('after a change of password the new one opens', async () => {
  const device = await openDevice({ name: newId(), platform: virtualPlatform() });
  await device.dataKeys.keep(SAM, PASSWORD);
  await device.dataKeys.keep(SAM, 'changed');
  expect(await device.dataKeys.open(SAM, 'changed')).toHaveLength(32);
  await expect(device.dataKeys.open(SAM, PASSWORD)).rejects.toThrow('incorrect password');
  await device.close();
});

test('whoever changes their password while signed in takes their key along; after signing out only a password opens it', async () => {
  const device = await openDevice({ name: newId(), platform: virtualPlatform() });
  await device.dataKeys.keep(SAM, PASSWORD);
  const key = await device.dataKeys.open(SAM, PASSWORD);
  await device.dataKeys.keep(SAM, 'changed');
  expect(await device.dataKeys.open(SAM, 'changed')).toEqual(key);
  expect((await device.dataKeys.held(SAM))?.key).toEqual(key);
  await device.dataKeys.letGo(SAM);
  expect(await device.dataKeys.held(SAM)).toBeNull();
  await device.dataKeys.keep(SAM, 'of another device');
  expect(await device.dataKeys.open(SAM, 'of another device')).not.toEqual(key);
  await device.close();
});

test('a forgotten person leaves no key', async () => {
  const device = await openDevice({ name: newId(), platform: virtualPlatform() });
  await device.dataKeys.keep(SAM, PASSWORD);
  await device.forgetPerson(SAM);
  expect(await device.dataKeys.has(SAM)).toBe(false);
  await device.close();
});

test('R8.48 says so when the device cannot store it', async () => {
  const db = await openDatabase(newId());
  const broken = { ...db, name: db.name, transaction: db.transaction.bind(db) };
  const full = {
    ...broken,
    transaction: (stores: never, mode: never, durability?: never) =>
      mode === 'readwrite' ? Promise.reject(new Error('full')) : db.transaction(stores, mode, durability),
  } as typeof db;
  const keys = openDataKeys(full, openSeal(db));
  await expect(keys.keep(SAM, PASSWORD)).rejects.toThrow('Failed to securely store data');
  db.close();
});

test('R4.11 no store of the device, nor local storage, holds a token, a password or a data key in clear', async () => {
  const name = newId();
  const platform = virtualPlatform();
  const kept = new Map<string, string>();
  const keyValue = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const device = await openDevice({ name, platform: { ...platform, keyValue } });
  await device.settings.set('auth_session', { sessionToken: TOKEN, expiresAt: 1 });
  await device
    .sealedStorage('p.')
    .setItem('session', JSON.stringify({ access_token: TOKEN, refresh_token: 'refresh-me' }));
  await device.dataKeys.keep(SAM, PASSWORD);
  const clearKey = String(await device.dataKeys.open(SAM, PASSWORD));
  await device.close();

  const db = await openDB(name);
  const everything: unknown[] = [...kept];
  for (const store of Array.from(db.objectStoreNames)) everything.push(...(await db.getAll(store)));
  db.close();
  const words = JSON.stringify(everything, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? `${new Uint8Array(value.buffer).join(',')} ${new TextDecoder().decode(value)}` : value,
  );
  expect(kept.size).toBe(1);
  for (const secret of [TOKEN, 'refresh-me', PASSWORD, clearKey]) expect(words).not.toContain(secret);
});
