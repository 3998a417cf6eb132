import type { EngineOptions } from '@cairn/sync/device.ts';
import { applied, scripted } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';
import { onSyncFault } from '../../../shared/sync/sync-faults.ts';
import { tellingFaults } from './telling-faults.ts';

test('a fault of the engine reaches whoever counts them, until they stop', () => {
  let given: EngineOptions | null = null;
  const device = tellingFaults({
    engineFor(options: EngineOptions): never {
      given = options;
      throw new Error('no engine is needed');
    },
  });
  expect(() => device.engineFor({ owner: 'sam', backend: scripted(applied).backend })).toThrow('no engine');
  const options = given as EngineOptions | null;
  const heard: string[] = [];
  const stop = onSyncFault(({ code }) => heard.push(code));
  options?.onFault?.({ code: 'restarted', count: 1, at: 5 });
  stop();
  options?.onFault?.({ code: 'set_aside', count: 1, at: 6 });
  expect(heard).toEqual(['restarted']);
});
