import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { actedAt } from './acted-at.ts';

const HOUR = 3_600_000;

/** A device without a signal, on which something is done; the signal comes back an hour later. */
async function doneAnHourAgo(act: (device: Awaited<ReturnType<typeof opened>>, now: number) => Promise<void>) {
  const server = scripted(applied);
  const device = await opened(server.backend);
  const { engine, network, clock, until, seen } = device;
  network.set(false);
  engine.start();
  const done = clock.now();
  await act(device, done);
  clock.advance(HOUR);
  network.set(true);
  await until(() => seen.receipts.length === 1, 5);
  await engine.stop();
  const [receipt] = seen.receipts;
  return { done, shown: Date.parse(receipt?.device_at ?? ''), sent: clock.now() };
}

test('the phone time of a receipt is when the person did it, not when the signal came back', async () => {
  const { done, shown, sent } = await doneAnHourAgo(({ put }) => put(1));
  expect(sent - done).toBeGreaterThanOrEqual(HOUR);
  expect(shown - done).toBeLessThan(HOUR / 2);
});

test('a receipt and the record show the same instant: the one the record itself names', async () => {
  const pressed = 732;
  const { done, shown } = await doneAnHourAgo(async ({ engine, clock }, now) => {
    // Working out the hash and the drawing takes a moment between the press and the save.
    const finished_at = new Date(now).toISOString();
    clock.advance(pressed);
    await engine.store.write('finish', tx =>
      tx.put('inspections', {
        id: actionId(7),
        organization_id: actionId(9),
        form_id: actionId(8),
        form_version_id: actionId(6),
        title: 'Forklift',
        status: 'finalised',
        finished_at,
      }),
    );
  });
  expect(shown).toBe(done);
});

test('what was saved together was done at one instant; a time that was typed, or is of another act, is none', () => {
  const at = Date.parse('2026-11-21T09:00:00.400Z');
  const edit = (data: Record<string, unknown>, timestamp = at) => ({ data, timestamp });
  expect([
    ...actedAt([edit({ value: 3 }), edit({ finished_at: '2026-11-21T09:00:00.100Z', signed_at: null })]),
  ]).toEqual([[at, at - 300]]);
  for (const finished_at of ['2026-11-20T09:00:00Z', '2026-11-21T10:00:00Z', 'soon', 7])
    expect([...actedAt([edit({ finished_at })])]).toEqual([]);
});
