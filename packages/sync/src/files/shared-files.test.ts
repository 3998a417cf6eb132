import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { openDevice } from '../device.ts';
import { virtualDevice, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { dropSharedFile, keepSharedFiles, sharedFiles } from './shared-files.ts';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;
const photo = (name: string, at = '2026-11-21T08:00:00.000Z') => ({
  name,
  mime: 'image/jpeg',
  bytes: bytes(1, 2, 3),
  at,
});
let named = 0;
const fresh = () => `shared-${(named += 1)}`;

describe('files shared from another app', () => {
  test('wait for whoever is signed in on this device, byte for byte, the oldest first', async () => {
    const name = fresh();
    const device = await openDevice({ name, platform: virtualPlatform(virtualDevice()) });
    await device.settings.set('current_user', { id: 'sam', email: 'sam@example.test', fullName: null });
    await keepSharedFiles([photo('b.jpg', '2026-11-21T09:00:00.000Z'), photo('a.jpg')], name);
    const waiting = await sharedFiles('sam', name);
    expect(waiting.map(file => file.name)).toEqual(['a.jpg', 'b.jpg']);
    expect([...new Uint8Array(waiting[0]?.bytes ?? bytes())]).toEqual([1, 2, 3]);
    expect(await sharedFiles('mara', name)).toEqual([]);
    await device.close();
  });

  test('shared while nobody is signed in, they wait for the next who is; on a device without a database too', async () => {
    const name = fresh();
    await keepSharedFiles([photo('a.jpg')], name);
    expect((await sharedFiles('mara', name)).map(file => file.name)).toEqual(['a.jpg']);
    const device = await openDevice({ name, platform: virtualPlatform(virtualDevice()) });
    expect(await device.settings.get('current_user')).toBeNull();
    await device.close();
  });

  test('once dropped they are gone, and only they', async () => {
    const name = fresh();
    await keepSharedFiles([photo('a.jpg'), photo('b.jpg', '2026-11-21T09:00:00.000Z')], name);
    const [first] = await sharedFiles('sam', name);
    await dropSharedFile('sam', first?.id ?? '', name);
    await dropSharedFile('sam', 'unknown', name);
    expect((await sharedFiles('sam', name)).map(file => file.name)).toEqual(['b.jpg']);
  });
});
