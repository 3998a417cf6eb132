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

/**
 * How many times the share of one network all have together that begin alike, and never more than half of what everybody has: whoever
 * rents a /48 has 65,536 networks.
 */
export const WIDER_SHARE = 4;

/** The wider network (/48) that a network of IPv6 is part of; null for IPv4. @param network as `networkOf` says it */
export function widerNetworkOf(network: string): string | null {
  const [, beginning] = /^((?:[\da-f]+:){3})[\da-f]+::\/64$/i.exec(network) ?? [];
  return beginning === undefined ? null : `${beginning}:/48`;
}

/** All networks that begin alike are one; of IPv4 each is its own. @param network as `networkOf` says it */
export const widestNetworkOf = (network: string): string => widerNetworkOf(network) ?? network;

/** What all networks that begin alike have together, of a share of one network and of what everybody has. */
export const widerLimit = (limit: number, all = Number.POSITIVE_INFINITY): number =>
  Math.max(limit, Math.min(limit * WIDER_SHARE, all / 2));

/**
 * The shares of a network, each with its limit: its own, and that of the wider one.
 *
 * @param all what everybody has together, where there is such a limit
 */
export function networkShares(network: string, limit: number, all?: number): [network: string, limit: number][] {
  const wider = widerNetworkOf(network);
  const own: [string, number] = [network, limit];
  return wider === null ? [own] : [own, [wider, widerLimit(limit, all)]];
}
