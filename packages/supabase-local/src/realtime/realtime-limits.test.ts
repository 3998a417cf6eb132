import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedAllowance } from './allowance.ts';
import { REALTIME_LIMITS, RealtimeLimits, type SocketShare } from './realtime-limits.ts';

const small = {
  ...REALTIME_LIMITS,
  sockets: { person: 2, network: 4, all: 6 },
  unjoined: { network: 2, all: 3, first: 0 },
  unsentBytes: { socket: 10, network: 20, all: 30 },
};
const each = { perSecond: 10, burst: 20 };

test('sockets that have joined nothing are few for a network and leave room for others; joined ones make room', () => {
  const limits = new RealtimeLimits(small);
  const shares = [limits.admit('one'), limits.admit('one')];
  expect(limits.admit('one')).toBeNull();
  const other = limits.admit('two');
  expect(other).not.toBeNull();
  expect(limits.admit('three')).toBeNull();
  for (const share of shares) share?.joined('ann');
  expect(limits.admit('three')).not.toBeNull();
  expect([other?.mayJoin('ann'), shares[0]?.mayJoin('ann'), other?.mayJoin('bob')]).toEqual([false, true, true]);
});

test('networks that begin alike fill four shares and half of all, and then a network that has nothing still gets a place', () => {
  const wide = { network: 1, all: 4, first: 2 };
  const half = new RealtimeLimits({ ...small, sockets: { person: 9, network: 9, all: 99 }, unjoined: wide });
  const isFromHalf = (n: number) => half.admit(`2001:db8:1:${n}::/64`) !== null;
  expect([1, 2, 3].map(isFromHalf)).toEqual([true, true, false]);
  const limits = new RealtimeLimits({
    ...small,
    sockets: { person: 9, network: 9, all: 99 },
    unjoined: { ...wide, all: 8 },
  });
  for (const n of [1, 2, 3, 4]) limits.admit(`2001:db8:2:${n}::/64`);
  const from = (n: number) => limits.admit(`2001:db8:1:${n}::/64`) !== null;
  expect([1, 2, 3, 4, 5, 6].map(from)).toEqual([true, true, true, true, false, false]);
  expect(['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'].map(each => limits.admit(each) !== null)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('a socket that is not read is cut off at its share, and a network of such at its own, before all are', () => {
  const limits = new RealtimeLimits({ ...small, unjoined: { ...small.sockets, first: 0 } });
  const [a, b, c] = [limits.admit('one'), limits.admit('one'), limits.admit('one')];
  expect([a?.holds(10), a?.holds(1), b?.holds(10), c?.holds(1)]).toEqual([true, false, true, false]);
  expect(limits.admit('two')?.holds(10)).toBe(true);
  a?.sent(10);
  expect(c?.holds(1)).toBe(true);
});

test('whatever sockets come, join, leave, send and end, everything is given back', () => {
  type Act = { at: number; act: 'admit' | 'join' | 'leave' | 'hold' | 'end'; person: string };
  const acts: fc.Arbitrary<Act[]> = fc.array(
    fc.record({
      at: fc.nat(5),
      act: fc.constantFrom('admit', 'join', 'leave', 'hold', 'end'),
      person: fc.constantFrom('ann', 'bob'),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(acts, all => {
      const limits = new RealtimeLimits(small);
      const shares: SocketShare[] = [];
      for (const { at, act, person } of all) {
        const share = shares[at];
        if (act === 'admit') shares.push(...[limits.admit(`net ${at % 2}`)].filter(one => one !== null));
        else if (act === 'join' && share?.mayJoin(person)) share.joined(person);
        else if (act === 'leave') share?.left();
        else if (act === 'hold') share?.holds(3);
        else if (act === 'end') share?.end();
      }
      for (const share of shares) share.end();
      const again = [limits.admit('net 0'), limits.admit('net 0'), limits.admit('net 1')];
      expect(again).not.toContain(null);
      expect(again.map(share => share?.holds(10))).toEqual([true, true, true]);
      expect(again[0]?.mayJoin('ann')).toBe(true);
    }),
  );
});

test('what one person uses up beyond their own share is not taken from their network, nor from all, and comes back with time', () => {
  const allowance = new SharedAllowance({ person: each, network: { ...each, burst: 30 }, all: { ...each, burst: 40 } });
  const ann = { person: 'ann', network: 'one' };
  expect(allowance.spend(ann, 21, 0)).toBe(false);
  expect(allowance.spend(ann, 20, 0)).toBe(true);
  expect(allowance.spend(ann, 1, 0)).toBe(false);
  expect(allowance.spend({ person: 'bob', network: 'one' }, 10, 0)).toBe(true);
  expect(allowance.spend({ person: 'cy', network: 'one' }, 1, 0)).toBe(false);
  expect(allowance.spend({ person: null, network: 'two' }, 10, 0)).toBe(true);
  expect(allowance.use(ann, 20, 0)).toBe(2000);
  expect(allowance.spend(ann, 1, 2000)).toBe(false);
  expect(allowance.spend(ann, 1, 2300)).toBe(true);
});

test('a network that sends more than its share owes no more than a burst, and makes nobody else owe', () => {
  const allowance = new SharedAllowance({ person: each, network: each, all: { perSecond: 20, burst: 60 } });
  let now = 0;
  for (let n = 0; n < 1000; n += 1, now += 10)
    expect(allowance.use({ person: null, network: 'one' }, 15, now)).toBeLessThanOrEqual(2000);
  expect(allowance.use({ person: 'ann', network: 'two' }, 1, now)).toBe(0);
});

test('new sockets of one network come at a rate, and leave room for those of others', () => {
  const limits = new RealtimeLimits({
    ...small,
    opened: { person: each, network: each, all: { perSecond: 20, burst: 40 } },
  });
  const admitted = (network: string, now: number) => {
    const share = limits.admit(network, now);
    share?.end();
    return share !== null;
  };
  const first = Array.from({ length: 50 }, () => admitted('one', 0));
  expect(first.filter(Boolean)).toHaveLength(20);
  expect([admitted('two', 0), admitted('one', 1000)]).toEqual([true, true]);
});

test('new sockets of one person come at a rate of their own, by however many networks; their next channel and others count in none', () => {
  const limits = new RealtimeLimits({
    ...small,
    sockets: REALTIME_LIMITS.sockets,
    opened: { ...REALTIME_LIMITS.opened, person: { perSecond: 1, burst: 3 } },
  });
  const joins = (person: string, network: string, now: number) => {
    const share = limits.admit(network, now);
    const may = share?.mayJoin(person, now) === true;
    if (may) share.joined(person);
    const again = may && share.mayJoin(person, now);
    share?.end();
    return [may, again];
  };
  const yes = [true, true];
  const no = [false, false];
  expect(['a', 'b', 'c', 'd'].map(network => joins('ann', network, 0))).toEqual([yes, yes, yes, no]);
  expect([joins('bob', 'a', 0), joins('ann', 'a', 900), joins('ann', 'a', 1100)]).toEqual([yes, no, yes]);
});
