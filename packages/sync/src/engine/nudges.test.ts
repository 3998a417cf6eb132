import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';

test('the first nudge is followed at once, a burst after it as one pull a tenth of a second later', async () => {
  const server = scripted(applied);
  let nudge = () => {};
  server.backend.onNudge = (_scopes, listener) => {
    nudge = listener;
    return () => {};
  };
  const { engine, clock, until, seen } = await opened(server.backend);
  engine.start();
  await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle');
  const before = server.pulls.length;
  nudge();
  await expect.poll(() => server.pulls.length).toBe(before + 1);
  for (let n = 0; n < 5; n++) nudge();
  clock.advance(50);
  await until(() => seen.status?.phase === 'idle', 0);
  expect(server.pulls.length).toBe(before + 1);
  clock.advance(50);
  await expect.poll(() => server.pulls.length).toBe(before + 2);
  await engine.stop();
});
