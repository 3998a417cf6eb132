import { expect, test } from 'vitest';
import { UnsentAnswers } from './unsent-answers.ts';

/** Answers of so many networks, and which of them were given up. */
function answers(limits: { network: number; all: number }) {
  let now = 0;
  const unsent = new UnsentAnswers(limits, () => (now += 1));
  const lost: string[] = [];
  const begin = (name: string, address: string) => unsent.begin(address, () => lost.push(name));
  return { unsent, lost, begin };
}

test('of a network that has too much waiting, whoever took nothing for longest is given up', () => {
  const { unsent, lost, begin } = answers({ network: 10, all: 100 });
  const [still, reads] = [begin('still', '192.0.2.1'), begin('reads', '192.0.2.1')];
  reads.add(5);
  still.add(5);
  begin('other', '192.0.2.2').add(10);
  reads.sent(1);
  expect(lost).toEqual([]);
  reads.add(2);
  expect(lost).toEqual(['still']);
  expect(unsent.bytes).toBe(16);
});

test('of too much in all, it is given up by the network that has most; who is given up counts no more', () => {
  const { unsent, lost, begin } = answers({ network: 60, all: 100 });
  const first = begin('first of many', '192.0.2.1');
  first.add(30);
  begin('second of many', '192.0.2.1').add(30);
  begin('little', '192.0.2.2').add(20);
  begin('newcomer', '192.0.2.3').add(40);
  expect(lost).toEqual(['first of many']);
  first.add(1000);
  first.sent(10);
  first.end();
  expect(unsent.bytes).toBe(90);
});

test('one answer alone may not have more either; what a proxy on this machine brings counts towards the whole alone', () => {
  const { unsent, lost, begin } = answers({ network: 10, all: 100 });
  begin('large', '192.0.2.1').add(11);
  begin('by the proxy', '::ffff:127.0.0.1').add(90);
  expect(lost).toEqual(['large']);
  expect(unsent.bytes).toBe(90);
});

test('networks of IPv6 that begin alike have four shares together', () => {
  const { lost, begin } = answers({ network: 10, all: 100 });
  for (let n = 1; n <= 5; n += 1) begin(`rented ${n}`, `2001:db8:1:${n}::1`).add(10);
  begin('other', '2001:db8:2:1::1').add(10);
  expect(lost).toEqual(['rented 1']);
});
