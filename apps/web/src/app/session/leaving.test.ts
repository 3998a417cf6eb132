import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { openDevice } from '@cairn/sync/device.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openDB } from 'idb';
import { expect, test } from 'vitest';
import { gatedBackend } from './gated-backend.ts';
import { SessionController } from './session-controller.ts';
import { sam, session } from './session-for-tests.ts';

test('R4.07 after a logout the device database holds neither session nor person', async () => {
  const name = newId();
  const device = await openDevice({ name, platform: virtualPlatform() });
  await device.settings.set('current_user', sam);
  await device.settings.set('auth_session', session);
  await device.settings.set('selected_organization', { organizationId: 'o' });
  const controller = new SessionController({
    openDevice: async () => ({ device, backendOver: gatedBackend }),
    openGate: () => Promise.reject(new Error('no network')),
    whenOnline: () => undefined,
  });
  await controller.start();
  expect(controller.snapshot()).toMatchObject({ status: 'signed_in', user: sam });
  await controller.signOut();
  await device.close();

  const db = await openDB(name);
  expect([await db.getAll('settings'), await db.getAll('users')]).toEqual([[], []]);
  db.close();
});
