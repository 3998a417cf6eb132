import { expect, test } from 'vitest';
import { networkOf, networkShares, widerLimit } from './network-of.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:DB8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));

test.each([
  ['192.0.2.7', [['192.0.2.7', 5]]],
  [
    '2001:db8:1:2::9',
    [
      ['2001:db8:1:2::/64', 5],
      ['2001:db8:1::/48', 20],
    ],
  ],
  [
    '2001:db8::9',
    [
      ['2001:db8:0:0::/64', 5],
      ['2001:db8:0::/48', 20],
    ],
  ],
  ['', [['', 5]]],
])('%s has the share of its network, and with all that begin alike four of these', (address, shares) =>
  expect(networkShares(networkOf(address), 5)).toEqual(shares),
);

test('all networks that begin alike have half of everything at most, and no less than one of them', () =>
  expect([widerLimit(5, 100), widerLimit(5, 30), widerLimit(8, 12)]).toEqual([20, 15, 8]));
