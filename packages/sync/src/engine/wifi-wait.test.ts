import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import type { OfflineState } from '../pull/offline-files.ts';

const file = (n: number, mime: string) => ({
  id: actionId(n),
  organization_id: actionId(9),
  mime,
  bytes: 3,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
});

/** A phone on mobile data whose person wants no files sent on it. */
async function phone() {
  const server = scripted(mutation => {
    if (mutation.t === 'media') server.pages.push({ stubs: { media: [[mutation.id, 1, [0]]] } });
    return applied(mutation);
  });
  const device = await opened(server.backend);
  device.network.isMobile = () => true;
  const wish = { id: OWNER, user_id: OWNER, version: 1, _s: [0], files_on_mobile_data: false };
  server.pages.push({ rows: { user_preferences: [wish] } });
  device.engine.start();
  await device.until(() => device.seen.status?.firstPull === false);
  const take = async (n: number, mime = 'image/jpeg') => {
    await device.engine.store.write('file', async tx => {
      await tx.put('media', file(n, mime));
      await tx.putBytes(actionId(n), new ArrayBuffer(3));
    });
    device.engine.syncNow();
    await device.until(() => server.pushed.flat().some(({ id }) => id === actionId(n)));
  };
  const line = (n: number) =>
    device.seen.outbox.find(({ kind, recordId }) => kind === 'file' && recordId === actionId(n));
  return { ...device, server, take, line };
}

test('files that wait for Wi-Fi are said to, with what they are; on Wi-Fi nothing is said and they go', async () => {
  const { engine, network, server, seen, take, line, until } = await phone();
  expect(seen.status?.filesWait).toBeUndefined();
  await take(1, 'audio/webm');
  await until(() => seen.status?.filesWait === 'wifi' && line(1)?.waits === 'wifi');
  expect(line(1)).toMatchObject({ mime: 'audio/webm', state: 'waiting' });
  engine.syncNow();
  const pulls = server.pulls.length;
  await until(() => server.pulls.length > pulls);
  expect(server.uploads).toEqual([]);

  network.isMobile = () => false;
  await until(() => server.uploads.length === 1 && seen.status?.pendingFiles === 0);
  expect(seen.status?.filesWait).toBeUndefined();
  await engine.stop();
});

test('what waits is sent at once where the person says so, and later files wait again', async () => {
  const { engine, server, clock, seen, take, line, until } = await phone();
  await take(1);
  await until(() => seen.status?.filesWait === 'wifi');
  // Until what the photo brought about has ended: the next pull of itself is a minute away.
  const since = clock.now();
  await until(() => clock.now() > since + 20_000);
  const asked = server.pulls.length;
  await engine.sendFilesAnyway();
  // At once, as "Send now" does: no time passes on the clock.
  await until(() => server.pulls.length > asked && server.uploads.length === 1, 0);
  await until(() => seen.status?.pendingFiles === 0);
  expect(server.uploads).toEqual([actionId(1)]);
  expect(seen.status?.filesWait).toBeUndefined();

  await take(2);
  await until(() => line(2)?.waits === 'wifi' && seen.status?.filesWait === 'wifi');
  const pulls = server.pulls.length;
  engine.syncNow();
  await until(() => server.pulls.length > pulls);
  expect(server.uploads).toEqual([actionId(1)]);
  await engine.stop();
});

test('what is to be made available offline is said to wait, until there is Wi-Fi', async () => {
  const { engine, network, until } = await phone();
  let last: OfflineState | null = null;
  const waits = () => last?.waits;
  engine.offlineFiles.watch(state => (last = state));
  await until(() => waits() === 'wifi');
  network.isMobile = () => false;
  await until(() => waits() === null);
  await engine.stop();
});
