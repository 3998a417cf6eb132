import type { Member } from './channel-members.ts';
import { isRecord, type Message } from './phoenix.ts';

/** What a client asks for when it joins; what it leaves out, or says in another form, is as Supabase has it. */
export type JoinRequest = {
  own: Pick<Member, 'isPrivate' | 'hearsItself' | 'wantsAck'>;
  wantsPresence: boolean;
  token: unknown;
  /** Tables whose changes it wants to hear of. */
  wishes: unknown[];
};

const recordIn = (from: Record<string, unknown>, field: string): Record<string, unknown> => {
  const value = from[field];
  return isRecord(value) ? value : {};
};

/** Under which key somebody is present is not asked for: it is who they are (decision 16). */
export function joinRequest({ payload }: Message): JoinRequest {
  const config = recordIn(payload, 'config');
  const [broadcast, presence] = [recordIn(config, 'broadcast'), recordIn(config, 'presence')];
  return {
    own: {
      isPrivate: config['private'] === true,
      hearsItself: broadcast['self'] === true,
      wantsAck: broadcast['ack'] === true,
    },
    wantsPresence: presence['enabled'] !== false,
    token: payload['access_token'],
    wishes: Array.isArray(config['postgres_changes']) ? config['postgres_changes'] : [],
  };
}
