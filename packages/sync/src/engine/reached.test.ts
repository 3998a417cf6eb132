import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';
import { BackendError, type Backend } from '../transport/backend.ts';

/** A device with a signal and nothing to do, that hears of changes; every word of its badge is kept. */
async function listening() {
  const server = scripted(applied);
  const sockets: (() => void)[] = [];
  const way = { isThere: true };
  const backend: Backend = {
    ...server.backend,
    async pull(...asked) {
      if (!way.isThere) throw new BackendError('network', 'no way there');
      return server.backend.pull(...asked);
    },
    onNudge(_scopes, listener) {
      sockets.push(listener);
      return () => undefined;
    },
  };
  const device = await opened(backend);
  const { engine, until, seen, clock } = device;
  engine.start();
  await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle' && sockets.length > 0);
  const reports: boolean[] = [];
  engine.watchStatus(({ online }) => void (reports.at(-1) === online || reports.push(online)));
  await until(() => reports.length === 1);
  /** What a socket does that breaks, see `supabase-backend.ts`. */
  const breakSocket = () => sockets.at(-1)?.();
  return { ...device, server, way, reports, breakSocket, begun: clock.now() };
}

test('the badge says that the network went in the moment the device says so, and that it is back', async () => {
  const { engine, network, reports, clock, begun } = await listening();
  network.set(false);
  expect(reports).toEqual([true, false]);
  network.set(true);
  expect(reports).toEqual([true, false, true]);
  expect(clock.now()).toBe(begun);
  await engine.stop();
});

test('a socket that broke is followed at once: a server out of reach is on the badge within a second', async () => {
  const { engine, way, reports, clock, until, breakSocket, begun } = await listening();
  way.isThere = false;
  breakSocket();
  await until(() => reports.at(-1) === false, 5);
  expect(clock.now() - begun).toBeLessThan(1000);
  await engine.stop();
});

test('a socket that broke while the server is there is no alarm', async () => {
  const { engine, server, reports, until, breakSocket } = await listening();
  const pulls = server.pulls.length;
  breakSocket();
  await until(() => server.pulls.length > pulls);
  await until(() => reports.length > 0, 50);
  expect(reports).toEqual([true]);
  await engine.stop();
});
