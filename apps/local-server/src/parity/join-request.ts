import { randomUUID } from 'node:crypto';
import type { Member } from './channel-members.ts';
import { isRecord, type Message } from './phoenix.ts';

/** What a client asks for when it joins; what it leaves out, or says in another form, is as Supabase has it. */
export type JoinRequest = {
  own: Pick<Member, 'isPrivate' | 'hearsItself' | 'wantsAck' | 'presenceKey'>;
  wantsPresence: boolean;
  token: unknown;
  /** Tables whose changes it wants to hear of. */
  wishes: unknown[];
};

/** Letters; each is kept while its channel is joined. */
const MAX_PRESENCE_KEY_LENGTH = 255;

const recordIn = (from: Record<string, unknown>, field: string): Record<string, unknown> => {
  const value = from[field];
  return isRecord(value) ? value : {};
};

export function joinRequest({ payload }: Message): JoinRequest {
  const config = recordIn(payload, 'config');
  const [broadcast, presence] = [recordIn(config, 'broadcast'), recordIn(config, 'presence')];
  const key = typeof presence['key'] === 'string' ? presence['key'].slice(0, MAX_PRESENCE_KEY_LENGTH) : '';
  return {
    own: {
      isPrivate: config['private'] === true,
      hearsItself: broadcast['self'] === true,
      wantsAck: broadcast['ack'] === true,
      presenceKey: key === '' ? randomUUID() : key,
    },
    wantsPresence: presence['enabled'] !== false,
    token: payload['access_token'],
    wishes: Array.isArray(config['postgres_changes']) ? config['postgres_changes'] : [],
  };
}
