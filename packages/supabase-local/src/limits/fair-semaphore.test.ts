import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';
import type { Slot } from './slot.ts';

const { signal } = new AbortController();
/** Lets what was promised be told. */
const nextTick = () => new Promise(resolve => setImmediate(resolve));

test('of one caller so many at once; another comes first when all places were taken', async () => {
  const semaphore = new FairSemaphore({ each: 2, all: 3, waiting: 10 });
  const order: string[] = [];
  const ask = (key: string) =>
    semaphore.take(key, signal).then(slot => {
      order.push(key);
      return slot;
    });
  const greedy = [ask('a'), ask('a'), ask('a'), ask('a')];
  const other = ask('b');
  const third = ask('c');
  await nextTick();
  expect(order).toEqual(['a', 'a', 'b']);
  (await greedy[0])?.release();
  await nextTick();
  expect(order).toEqual(['a', 'a', 'b', 'c']);
  expect([(await other)?.waited, (await third)?.waited]).toEqual([false, true]);
});

test('with too many waiting it is refused, and whoever hangs up waits no more', async () => {
  const semaphore = new FairSemaphore({ each: 1, all: 1, waiting: 1 });
  const first = await semaphore.take('a', signal);
  const patient = new AbortController();
  const second = semaphore.take('a', patient.signal);
  expect(await semaphore.take('a', signal)).toBeNull();
  patient.abort();
  expect(await second).toBeNull();
  expect(await semaphore.take('a', patient.signal)).toBeNull();
  first?.release();
  expect(await semaphore.take('a', signal)).toMatchObject({ waited: false });
});

test('whatever comes and goes, no limit is passed, everybody has their turn, and all places come back', async () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(keys, fc.infiniteStream(fc.nat()), async (asked, picks) => {
      const semaphore = new FairSemaphore({ each: 2, all: 3, waiting: 100 });
      const held: { key: string; slot: Slot }[] = [];
      let served = 0;
      const all = asked.map(async key => {
        const slot = await semaphore.take(key, signal);
        if (!slot) throw new Error('refused');
        held.push({ key, slot });
        served += 1;
      });
      await nextTick();
      while (held.length > 0) {
        expect(held.length).toBeLessThanOrEqual(3);
        for (const { key } of held) expect(held.filter(each => each.key === key).length).toBeLessThanOrEqual(2);
        const [gone] = held.splice(picks.next().value % held.length, 1);
        gone?.slot.release();
        gone?.slot.release();
        await nextTick();
      }
      await Promise.all(all);
      expect(served).toBe(asked.length);
    }),
    { numRuns: 60 },
  );
});
