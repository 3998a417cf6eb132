import 'fake-indexeddb/auto';
import { applied, opened, SCOPE, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { describe, expect, test } from 'vitest';
import type { PullAnswer } from '../transport/backend.ts';

async function refusedWork() {
  const state = { isAllowed: false };
  const server = scripted(m => (state.isAllowed ? applied(m) : { st: 'rejected', code: '42501', msg: 'no right' }));
  const phone = await opened(server.backend);
  phone.engine.start();
  await phone.until(() => phone.seen.status?.firstPull === false);
  await phone.put(1);
  await phone.until(() => phone.seen.outbox[0]?.state === 'failed');
  return { ...phone, server, state };
}

const member = {
  ...serverRow(7, 2),
  user_id: actionId(8),
  role: 'member',
};

describe('work refused for want of a right', () => {
  const news: [string, Partial<PullAnswer>][] = [
    ['a membership changed', { rows: { organization_members: [member] } }],
    ['a new audience', { scopes: { [SCOPE]: ['e', 99, '~', actionId(0)], 'site:new': ['e', 1, '~', actionId(0)] } }],
  ];
  test.for(news)('goes again by itself once %s', async ([, page]) => {
    const { server, state, engine, until, seen } = await refusedWork();
    state.isAllowed = true;
    server.pages.push(page);
    engine.syncNow();
    await until(() => seen.status?.pendingItems === 0);
    const sent = server.pushed.flat();
    expect(new Set(sent.map(({ mid }) => mid)).size).toBe(1);
    await engine.stop();
  });

  test('goes again also where the right came in a page so large that it was stored in parts', async () => {
    const { server, state, engine, until, seen } = await refusedWork();
    state.isAllowed = true;
    const many = Array.from({ length: 1200 }, (_, at) => serverRow(100 + at, 1));
    server.pages.push({ rows: { organization_members: [member], action_items: many } });
    engine.syncNow();
    await until(() => seen.status?.pendingItems === 0);
    await engine.stop();
  });

  test('stays set aside while nothing of rights has come', async () => {
    const { server, engine, until, seen } = await refusedWork();
    const before = server.pushed.length;
    server.pages.push({ rows: { action_items: [serverRow(3, 1)] } });
    engine.syncNow();
    await until(() => seen.status?.phase === 'idle' && server.pages.length === 0);
    expect(server.pushed).toHaveLength(before);
    expect(seen.outbox[0]?.state).toBe('failed');
    await engine.stop();
  });
});
