import type { Context } from 'hono';
import { addressOf } from '../auth/auth-context.ts';
import type { Sender } from '../limits/bytes-in-flight.ts';
import type { Caller } from '../access/bearer.ts';
import { networkOf } from '../limits/network-of.ts';

/** Who sends a body, behind the gate; before it everybody is a visitor. Our own functions call without an address. */
export function senderOf(c: Context): Sender {
  const caller = c.get('caller') as Caller | undefined;
  const person = caller?.claims?.sub ?? (caller?.role === 'service_role' ? 'service' : null);
  return { network: networkOf(addressOf(c)), person };
}
