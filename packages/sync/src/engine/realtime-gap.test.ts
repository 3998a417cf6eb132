import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { supabaseBackend } from '../transport/supabase-backend.ts';

/** A realtime service that says it is subscribed and lets events through only some time later, as the real one does. */
function slowRealtime() {
  const channel = {
    on: () => channel,
    subscribe(told: (status: string) => void) {
      told('SUBSCRIBED');
      return channel;
    },
  };
  const service = { channel: () => channel, removeChannel: async () => 'ok' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the client this call takes two methods
  return service as unknown as SupabaseClient;
}

test('what changes between subscribing and the first event is pulled for a few seconds later, not with the next minute', async () => {
  const nudges: number[] = [];
  const began = performance.now();
  const stop = supabaseBackend(slowRealtime()).onNudge(['user:a'], () => nudges.push(performance.now() - began));
  await expect.poll(() => nudges.length, { timeout: 7000 }).toBe(2);
  expect(nudges[0]).toBeLessThan(1000);
  expect(nudges[1]).toBeGreaterThan(3000);
  stop();
});
