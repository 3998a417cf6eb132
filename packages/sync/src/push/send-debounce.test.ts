import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SendDebounce } from './send-debounce.ts';

type OpenDevice = Awaited<ReturnType<typeof opened>>;

function debouncing() {
  const clock = virtualClock();
  const sent: number[] = [];
  const begun = clock.now();
  const debounce = new SendDebounce(clock, () => sent.push(clock.now() - begun));
  return { clock, debounce, sent };
}

/** The scripted server, and a word of it that something changed there. */
function nudged({ backend }: ReturnType<typeof scripted>) {
  let told = () => {};
  const onNudge = (_scopes: string[], onTold: () => void) => {
    told = onTold;
    return () => {};
  };
  return { backend: { ...backend, onNudge }, nudge: () => told() };
}

test('saves that follow each other go out together once it is quiet, a single one as soon', () => {
  const { clock, debounce, sent } = debouncing();
  for (let n = 0; n < 3; n += 1) {
    debounce.saved();
    clock.advance(300);
  }
  expect(sent).toEqual([]);
  clock.advance(100);
  expect(sent).toEqual([1000]);
  clock.advance(10_000);
  expect(sent).toEqual([1000]);
});

test('no save waits longer than two seconds, whatever follows it, and each is followed by one round', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 1, maxLength: 40 }), pauses => {
      const { clock, debounce, sent } = debouncing();
      const saves: number[] = [];
      let at = 0;
      for (const pause of pauses) {
        debounce.saved();
        saves.push(at);
        clock.advance(pause);
        at += pause;
      }
      clock.advance(3000);
      for (const save of saves) {
        const next = sent.find(each => each >= save);
        expect(next).toBeDefined();
        expect((next ?? 0) - save).toBeLessThanOrEqual(2000);
      }
      expect(sent.length).toBeLessThanOrEqual(saves.length);
    }),
  );
});

test('whoever leaves the app sends at once; nothing saved, nothing sent', () => {
  const { clock, debounce, sent } = debouncing();
  debounce.now();
  expect(sent).toEqual([]);
  debounce.saved();
  debounce.now();
  expect(sent).toEqual([0]);
  clock.advance(5000);
  expect(sent).toEqual([0]);
  debounce.saved();
  debounce.stop();
  clock.advance(5000);
  expect(sent).toEqual([0]);
});

test('the engine sends what was just saved when the app is put away, and else a moment later', async () => {
  const server = scripted(applied);
  const { engine, put, clock, network, until, seen } = await opened(server.backend);
  engine.start();
  await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle');
  await put(1);
  expect(server.pushed).toEqual([]);
  network.hide();
  await until(() => server.pushed.length === 1, 0);
  await until(() => seen.status?.pendingItems === 0 && seen.status.phase === 'idle');
  await put(2);
  clock.advance(399);
  expect(server.pushed).toHaveLength(1);
  await until(() => server.pushed.length === 2);
  await engine.stop();
});

test('a round that comes of a nudge reads, and leaves what is being gathered to its own round', async () => {
  const server = scripted(applied);
  const { backend, nudge } = nudged(server);
  const { engine, put, clock, until, seen } = await opened(backend);
  engine.start();
  await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle');
  clock.advance(1000);
  for (const [sent, save] of [1, 2].entries()) {
    await put(save);
    const before = server.pulls.length;
    nudge();
    await until(() => server.pulls.length > before, 0);
    expect(server.pushed).toHaveLength(sent);
    clock.advance(400);
    await until(() => server.pushed.length === sent + 1, 0);
    await until(() => seen.status?.pendingItems === 0 && seen.status.phase === 'idle');
  }
  await engine.stop();
});

test.each([
  ['its time came', (device: OpenDevice) => device.clock.advance(400)],
  ['the app was put away', (device: OpenDevice) => device.network.hide()],
  ['somebody pressed', (device: OpenDevice) => device.engine.syncNow()],
])('what was to go while a round was reading (%s) goes with the next, whatever was saved since', async (_, ask) => {
  const server = scripted(applied);
  const { backend: ours, nudge } = nudged(server);
  let answered = Promise.withResolvers<void>();
  answered.resolve();
  let asked = 0;
  const backend = {
    ...ours,
    async pull(...request: Parameters<typeof ours.pull>) {
      asked += 1;
      await answered.promise;
      return ours.pull(...request);
    },
  };
  const device = await opened(backend);
  const { engine, put, clock, until, seen } = device;
  engine.start();
  await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle');
  clock.advance(1000);
  answered = Promise.withResolvers<void>();
  const before = asked;
  nudge();
  await until(() => asked > before, 0);
  await put(1);
  ask(device);
  await put(2);
  expect(server.pushed).toEqual([]);
  answered.resolve();
  await until(() => server.pushed.flat().length === 2, 0);
  await engine.stop();
});
