import { expect, test } from 'vitest';
import { BytesInFlight } from './bytes-in-flight.ts';

const room = () => new BytesInFlight({ asker: 12, network: 32, all: 64 });
const by = (person: string | null, network = 'a') => ({ person, network });

test('one person, or the visitors of a network, leave room to everybody else behind the same address', () => {
  const flight = room();
  expect(flight.begin(by('eve')).grow(12)).toBe(true);
  expect(flight.begin(by('eve')).grow(1)).toBe(false);
  expect(flight.begin(by(null)).grow(12)).toBe(true);
  expect(flight.begin(by(null)).grow(1)).toBe(false);
  expect(flight.begin(by('sam')).grow(8)).toBe(true);
});

test('a network has its share whoever is behind it, and all together have theirs', () => {
  const flight = room();
  for (const person of ['one', 'two']) expect(flight.begin(by(person)).grow(12)).toBe(true);
  expect(flight.begin(by('three')).grow(9)).toBe(false);
  expect(flight.isFull(by('three'), 9)).toBe(true);
  for (const person of ['four', 'five']) expect(flight.begin(by(person, 'b')).grow(12)).toBe(true);
  expect(flight.begin(by('six', 'c')).grow(12)).toBe(true);
  expect(flight.begin(by('seven', 'd')).grow(5)).toBe(false);
  expect(flight.isFull(by('seven', 'd'), 5)).toBe(false);
});

test('what is given back is free again, once', () => {
  const flight = room();
  const hold = flight.begin(by('eve'));
  expect([hold.grow(5), hold.grow(7), hold.grow(1)]).toEqual([true, true, false]);
  hold.release();
  hold.release();
  expect(flight.begin(by('eve')).grow(12)).toBe(true);
  expect(flight.begin(by('sam')).grow(12)).toBe(true);
  expect(flight.begin(by(null)).grow(9)).toBe(false);
});

test('networks of IPv6 that begin alike have four shares together', () => {
  const flight = new BytesInFlight({ asker: 10, network: 10, all: 100 });
  const from = (n: number) => flight.begin(by(`p${n}`, `2001:db8:1:${n}::/64`)).grow(10);
  expect([1, 2, 3, 4, 5].map(from)).toEqual([true, true, true, true, false]);
  expect(flight.begin(by('other', '2001:db8:2:1::/64')).grow(10)).toBe(true);
});
