import { expect, test } from 'vitest';
import { BytesInFlight } from './bytes-in-flight.ts';

const createFlight = () => new BytesInFlight({ asker: 12, network: 32, all: 64 });
const by = (person: string | null, network = 'a') => ({ person, network });

test('one person, or the visitors of a network, leave room to everybody else behind the same address', () => {
  const flight = createFlight();
  expect(flight.begin(by('eve')).grow(12)).toBe(true);
  expect(flight.begin(by('eve')).grow(1)).toBe(false);
  expect(flight.begin(by(null)).grow(12)).toBe(true);
  expect(flight.begin(by(null)).grow(1)).toBe(false);
  expect(flight.begin(by('sam')).grow(8)).toBe(true);
});

test('a network has its share whoever is behind it, and all together have theirs', () => {
  const flight = createFlight();
  for (const person of ['one', 'two']) expect(flight.begin(by(person)).grow(12)).toBe(true);
  expect(flight.begin(by('three')).grow(9)).toBe(false);
  expect(flight.isFull(by('three'), 9)).toBe(true);
  for (const person of ['four', 'five']) expect(flight.begin(by(person, 'b')).grow(12)).toBe(true);
  expect(flight.begin(by('six', 'c')).grow(12)).toBe(true);
  expect(flight.begin(by('seven', 'd')).grow(5)).toBe(false);
  expect(flight.isFull(by('seven', 'd'), 5)).toBe(false);
});

test('what is given back is free again, once', () => {
  const flight = createFlight();
  const hold = flight.begin(by('eve'));
  expect([hold.grow(5), hold.grow(7), hold.grow(1)]).toEqual([true, true, false]);
  hold.release();
  hold.release();
  expect(flight.begin(by('eve')).grow(12)).toBe(true);
  expect(flight.begin(by('sam')).grow(12)).toBe(true);
  expect(flight.begin(by(null)).grow(9)).toBe(false);
});

test("what visitors began is in nobody's way who has a session", () => {
  const flight = new BytesInFlight({ asker: 12, network: 12, all: 24 }, { asker: 4, network: 4, all: 8 });
  for (const network of ['a', 'b']) expect(flight.begin(by(null, network)).grow(4)).toBe(true);
  expect(flight.begin(by(null, 'c')).grow(1)).toBe(false);
  expect(flight.begin(by('sam', 'a')).grow(12)).toBe(true);
});

test('where all have too much whoever has most loses the oldest body that is not whole, and nobody one that is', () => {
  const flight = new BytesInFlight({ asker: 40, network: 40, all: 64 });
  const givenUp: string[] = [];
  const begin = (name: string, network: string, bytes: number) => {
    const hold = flight.begin(by(name, network), () => givenUp.push(name));
    return { hold, isTaken: hold.grow(bytes) };
  };
  begin('whole', '2001:db8:1:1::/64', 16).hold.settle();
  begin('oldest', '2001:db8:1:2::/64', 8);
  begin('newest', '2001:db8:1:3::/64', 8);
  for (const name of ['one', 'two', 'three', 'four']) begin(name, name, 8);
  expect(begin('bystander', 'b', 8).isTaken).toBe(true);
  expect(givenUp).toEqual(['oldest']);
  expect(begin('bystander', 'c', 8).isTaken).toBe(true);
  expect(givenUp).toEqual(['oldest', 'newest']);
  // What is left of them is whole, and nobody else has more than who asks.
  expect(begin('late', 'd', 8).isTaken).toBe(false);
  expect(givenUp).toEqual(['oldest', 'newest']);
});

test('networks of IPv6 that begin alike have four shares together', () => {
  const flight = new BytesInFlight({ asker: 10, network: 10, all: 100 });
  const from = (n: number) => flight.begin(by(`p${n}`, `2001:db8:1:${n}::/64`)).grow(10);
  expect([1, 2, 3, 4, 5].map(from)).toEqual([true, true, true, true, false]);
  expect(flight.begin(by('other', '2001:db8:2:1::/64')).grow(10)).toBe(true);
});

test('a whole body that waits gives way to whoever has less, until its turn has begun', () => {
  const flight = new BytesInFlight({ asker: 32, network: 32, all: 64 });
  const givenUp: string[] = [];
  const whole = (name: string, network: string, bytes: number) => {
    const hold = flight.begin(by(name, network));
    expect(hold.grow(bytes)).toBe(true);
    return { hold, wait: () => hold.giveWay(() => givenUp.push(name)) };
  };
  const [one, two, three] = [whole('one', 'a', 16), whole('two', 'a', 16), whole('three', 'b', 32)];
  for (const each of [one, two, three]) each.wait();
  one.hold.settle();
  expect(flight.begin(by('bystander', 'c')).grow(8)).toBe(true);
  expect(flight.begin(by('other', 'd')).grow(8)).toBe(true);
  // Of the network that has most, and of one that has as much the oldest; the one whose turn has begun stays.
  expect(givenUp).toEqual(['two']);
  three.hold.settle();
  expect(flight.begin(by('late', 'e')).grow(8)).toBe(false);
  expect([two.hold.grow(1), two.hold.isFull(1)]).toEqual([false, false]);
  one.hold.release();
  expect(flight.begin(by('late', 'e')).grow(16)).toBe(true);
});

test('small bodies have a room of their own: large ones that are worked with fill another, and what outgrows it moves', () => {
  const small = { bytes: 4, asker: 4, network: 8, all: 32 };
  const flight = new BytesInFlight({ asker: 16, network: 16, all: 32, small });
  for (const network of ['a', 'b']) expect(flight.begin(by('eve', network)).grow(16)).toBe(network === 'a');
  expect(flight.begin(by('bob', 'b')).grow(16)).toBe(true);
  expect(flight.begin(by('sam', 'c')).grow(5)).toBe(false);
  const call = flight.begin(by('sam', 'c'));
  expect([call.grow(3), call.grow(1), call.grow(1), call.isFull(1)]).toEqual([true, true, false, false]);
  // Of who has no share left in the small room as well.
  expect([flight.begin(by('eve', 'a')).grow(4), flight.begin(by('eve', 'a')).grow(1)]).toEqual([true, false]);
  expect(flight.isFull(by('eve', 'a'), 1)).toBe(true);
  call.release();
  expect(flight.begin(by('sam', 'c')).grow(4)).toBe(true);
});

test('a body that moves to the room of large ones leaves nothing in the one of small ones', () => {
  const flight = new BytesInFlight({
    asker: 16,
    network: 16,
    all: 32,
    small: { bytes: 4, asker: 4, network: 4, all: 4 },
  });
  const growing = flight.begin(by('sam'));
  expect([growing.grow(4), growing.grow(4)]).toEqual([true, true]);
  expect(flight.begin(by('ann', 'b')).grow(4)).toBe(true);
  growing.release();
  expect(flight.begin(by('sam')).grow(16)).toBe(true);
});
