import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedSemaphore, type TurnRequester } from './shared-semaphore.ts';
import type { Slot } from './slot.ts';

const tiers = [
  { person: 3, network: 4, all: 6 },
  { person: 1, network: 2, all: 3 },
];
const waiting = { person: 10, network: 20, all: 30 };
/** Lets what was promised be told. */
const nextTick = () => new Promise(resolve => setImmediate(resolve));
const of = (person: string, network: string): TurnRequester => ({ person, network });

/** Asks, and notes the order in which turns came. */
function asking(semaphore: SharedSemaphore) {
  const came: string[] = [];
  const ask = async (name: string, asker: TurnRequester, tier = 0): Promise<Slot | null> => {
    const slot = await semaphore.take(asker, tier);
    if (slot) came.push(name);
    return slot;
  };
  return { came, ask };
}

test('however many accounts a network has, long calls leave places to short ones, and to long ones of another network', async () => {
  const { came, ask } = asking(new SharedSemaphore({ tiers, waiting }));
  for (const person of ['a', 'b', 'c', 'd', 'e']) void ask(`push of ${person}`, of(person, 'one'), 1);
  void ask('read of f', of('f', 'one'));
  void ask('push of g', of('g', 'two'), 1);
  void ask('read of g', of('g', 'two'));
  await nextTick();
  expect(came).toEqual(['push of a', 'push of b', 'read of f', 'push of g', 'read of g']);
});

test('of those who wait behind one address whoever took least lately is next, however long the others have waited', async () => {
  let now = 0;
  const semaphore = new SharedSemaphore({ tiers: [{ person: 1, network: 1, all: 1 }], waiting }, () => now);
  const { came, ask } = asking(semaphore);
  const first = await ask('a', of('a', 'site'));
  const again = [ask('a again', of('a', 'site')), ask('a still', of('a', 'site'))];
  void ask('b', of('b', 'site'));
  now = 1000;
  first?.release();
  await nextTick();
  expect(came).toEqual(['a', 'b']);
  expect(semaphore.spentBy('a')).toBe(1000);
  now = 6000;
  expect(semaphore.spentBy('a')).toBe(500);
  expect(again).toHaveLength(2);
});

test('a place given back lets one of each tier go on that waited for it', async () => {
  const semaphore = new SharedSemaphore({
    tiers: [
      { person: 2, network: 9, all: 9 },
      { person: 9, network: 9, all: 1 },
    ],
    waiting,
  });
  const { came, ask } = asking(semaphore);
  const long = await ask('long of a', of('a', 'one'), 1);
  await ask('short of a', of('a', 'one'));
  void ask('more of a', of('a', 'one'));
  void ask('long of b', of('b', 'two'), 1);
  await nextTick();
  expect(came).toEqual(['long of a', 'short of a']);
  long?.release();
  await nextTick();
  expect(came.slice(2).toSorted()).toEqual(['long of b', 'more of a']);
});

test('whoever hangs up waits no more, and too many waiting are refused: of one person, and of all', async () => {
  const semaphore = new SharedSemaphore({
    tiers: [{ person: 1, network: 1, all: 1 }],
    waiting: { person: 1, network: 2, all: 2 },
  });
  const first = await semaphore.take(of('a', 'one'), 0);
  const patient = new AbortController();
  const second = semaphore.take(of('a', 'one'), 0, patient.signal);
  expect(await semaphore.take(of('a', 'one'), 0)).toBeNull();
  const third = semaphore.take(of('b', 'one'), 0);
  expect(await semaphore.take(of('c', 'one'), 0)).toBeNull();
  patient.abort();
  expect(await second).toBeNull();
  expect(await semaphore.take(of('c', 'one'), 0, patient.signal)).toBeNull();
  first?.release();
  expect(await third).toMatchObject({ waited: true });
});

const ONE_AT_ONCE = [{ person: 1, network: 1, all: 1 }];

test('a network fills its part of the queue and no more; of a full one whoever has most in it loses the newest', async () => {
  const semaphore = new SharedSemaphore({ tiers: ONE_AT_ONCE, waiting: { person: 9, network: 4, all: 5 } });
  const first = await semaphore.take(of('a', 'one'), 0);
  const outcome: Record<string, string> = {};
  const ask = (name: string, network: string) =>
    void semaphore.take(of(name, network), 0).then(slot => {
      outcome[name] = slot ? 'turn' : 'refused';
      slot?.release();
    });
  for (const name of ['b', 'c', 'd', 'e', 'f']) ask(name, 'one');
  ask('x', 'two');
  await nextTick();
  expect(outcome).toEqual({ f: 'refused' });
  ask('y', 'three');
  await nextTick();
  expect(outcome).toEqual({ f: 'refused', e: 'refused' });
  first?.release();
  await nextTick();
  expect(outcome).toMatchObject({ b: 'turn', c: 'turn', d: 'turn', x: 'turn', y: 'turn' });
});

test('whoever had a turn and waited elsewhere goes on before all who have not begun, however full the queue is', async () => {
  const semaphore = new SharedSemaphore({ tiers: ONE_AT_ONCE, waiting: { person: 2, network: 2, all: 2 } });
  const { came, ask } = asking(semaphore);
  const first = await ask('first', of('a', 'one'));
  void ask('new', of('b', 'one')).then(slot => slot?.release());
  void ask('newer', of('c', 'two')).then(slot => slot?.release());
  const hungUp = new AbortController();
  const gone = semaphore.takeAgain(of('d', 'one'), 0, hungUp.signal);
  void semaphore.takeAgain(of('a', 'one'), 0).then(slot => {
    came.push('back');
    slot?.release();
  });
  hungUp.abort();
  expect(await gone).toBeNull();
  first?.release();
  await nextTick();
  expect(came).toEqual(['first', 'back', 'new', 'newer']);
});

test('however many networks somebody rents that begin alike, they have four shares of one, and are not always the first', async () => {
  const of48 = (n: number) => of(`rented ${n}`, `2001:db8:1:${n}::/64`);
  const { came, ask } = asking(new SharedSemaphore({ tiers: [{ person: 1, network: 1, all: 6 }], waiting }));
  for (let n = 1; n <= 6; n += 1) void ask(`rented ${n}`, of48(n));
  void ask('home', of('home', '192.0.2.1'));
  void ask('other', of('other', '2001:db8:2:1::/64'));
  await nextTick();
  expect(came).toEqual(['rented 1', 'rented 2', 'rented 3', 'rented 4', 'home', 'other']);
});

test('whatever comes and goes, no limit of any tier is passed, everybody has their turn, and all places come back', async () => {
  const call = fc.record({ person: fc.nat(5), tier: fc.nat(1) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 40 }),
      fc.infiniteStream(fc.nat()),
      async (calls, picks) => {
        const semaphore = new SharedSemaphore({ tiers, waiting: { person: 100, network: 100, all: 100 } });
        const held: { person: string; network: string; tier: number; slot: Slot }[] = [];
        let served = 0;
        const all = calls.map(async ({ person, tier }) => {
          const asker = of(`p${person}`, `n${person % 2}`);
          const slot = await semaphore.take(asker, tier);
          if (!slot) throw new Error('refused');
          held.push({ ...asker, tier, slot });
          served += 1;
        });
        await nextTick();
        while (held.length > 0) {
          for (const [tier, limits] of tiers.entries()) {
            const inTier = held.filter(each => each.tier >= tier);
            const most = (key: 'person' | 'network') =>
              Math.max(
                0,
                ...Map.groupBy(inTier, each => each[key])
                  .values()
                  .map(group => group.length),
              );
            expect(inTier.length).toBeLessThanOrEqual(limits.all);
            expect(most('network')).toBeLessThanOrEqual(limits.network);
            expect(most('person')).toBeLessThanOrEqual(limits.person);
          }
          const [gone] = held.splice(picks.next().value % held.length, 1);
          gone?.slot.release();
          gone?.slot.release();
          await nextTick();
        }
        await Promise.all(all);
        expect(served).toBe(calls.length);
      },
    ),
    { numRuns: 60 },
  );
});
