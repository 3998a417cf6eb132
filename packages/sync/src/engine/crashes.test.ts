import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { idle, openTab, type Tab } from '@cairn/testing/device-on-sql.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { applied, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mutation } from '../transport/backend.ts';

/** A server whose answer to one record ends the app that reads it. */
function deadly(poison: string) {
  const server = scripted(applied);
  const { push } = server.backend;
  const state = { killed: false, sends: [] as string[][] };
  server.backend.push = (device, mutations: Mutation[], signal) => {
    state.sends.push(mutations.map(({ id }) => id));
    if (!mutations.some(({ id }) => id === poison)) return push(device, mutations, signal);
    state.killed = true;
    return new Promise(() => {});
  };
  return { backend: server.backend, state, pushed: server.pushed };
}

/** ms of real time for one life: the first one waits for what the engine loads, however often the turns go round. */
const PATIENCE = 20_000;

/** Runs the app until it dies or has nothing left to send. */
async function live(tab: Tab, state: { killed: boolean }, done: () => boolean): Promise<void> {
  state.killed = false;
  tab.engine.start();
  const giveUp = performance.now() + PATIENCE;
  for (let turn = 0; !state.killed && !done(); turn += 1) {
    if (performance.now() > giveUp) throw new Error(`neither died nor settled: ${JSON.stringify(tab.seen)}`);
    await idle();
    if (turn % 10 === 9) tab.clock.advance(250);
  }
}

test(
  'I8 an entry that kills its app is found by halving, set aside alone, and everything else has gone',
  async () => {
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(69), async (records, at) => {
      const poison = actionId((at % records) + 1);
      const { backend, state, pushed } = deadly(poison);
      const tab = await openTab({ person: OWNER, backend, name: newId() });
      await tab.engine.store.write('put', async tx => {
        for (let n = 1; n <= records; n += 1) await tx.put('action_items', anAction(n));
      });
      const settled = () => tab.seen.outbox.length === 1 && tab.seen.outbox[0]?.state === 'failed';
      let deaths = 0;
      for (; !settled() && deaths <= 12; deaths += 1) {
        await live(tab, state, settled);
        if (state.killed) await tab.crash();
      }
      expect(tab.seen.outbox).toMatchObject([{ recordId: poison, state: 'failed', lastError: 'crash' }]);
      expect(deaths).toBeLessThanOrEqual(12);
      expect(new Set(pushed.flat().map(({ id }) => id)).size).toBe(records - 1);
      expect(state.sends.filter(ids => ids.includes(poison)).at(-1)).toEqual([poison]);
      const told = () => {
        tab.clock.advance(500);
        return tab.seen.health?.faults.map(({ code, count }) => `${code} ${count}`);
      };
      await expect.poll(told).toContain('set_aside 1');
      await tab.close();
    });
    await holds('crashes', 5, property);
  },
  HISTORIES_TIMEOUT,
);
