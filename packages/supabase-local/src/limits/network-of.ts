import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address that say whose network it is: whoever has one address has all that begin so. */
const GROUPS = 4;

/** What limits count as one caller: an IPv4 address, and of IPv6 the network (/64). */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groupsIn = (text: string) => text.split(':').filter(Boolean);
  const [first, last] = [groupsIn(before), groupsIn(after ?? '')];
  const between = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...between, ...last].slice(0, GROUPS).join(':')}::/64`;
}
