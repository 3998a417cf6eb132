import 'fake-indexeddb/auto';
import { applied, opened, scripted, SCOPE } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';
import { BackendError, type PullRequest } from '../transport/backend.ts';

test('cursors no server can read are given up, scope by scope, and the pull goes on', async () => {
  const server = scripted(applied);
  const asked: PullRequest['cursors'][] = [];
  const { pull } = server.backend;
  server.backend.pull = (request, signal) => {
    asked.push(request.cursors);
    const isSpoilt = asked.length === 2;
    return isSpoilt ? Promise.reject(new BackendError('refused', 'pull', '22P02')) : pull(request, signal);
  };
  const { engine, until, seen } = await opened(server.backend);
  engine.start();
  await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle');
  engine.syncNow();
  await until(() => asked.length === 3 && seen.status?.phase === 'idle');
  expect(asked[2]).toEqual({ [SCOPE]: ['', 0, '', ''] });
  await engine.stop();
});
