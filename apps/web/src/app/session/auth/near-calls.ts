import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import type { PresenceChannel, NearPerson, NearServer } from '../../../shared/server/near-server.ts';

type TypingPresence = { writes?: unknown };

const USER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As many as a channel of our server holds; a service that holds more is not to fill a page. */
const MAX_PEOPLE = 100;

/** Of all devices of a person one that writes is enough. Keys are ids of people: whatever else somebody stands under is nobody. */
function othersIn(channel: RealtimeChannel, userId: string): NearPerson[] {
  return Object.entries(channel.presenceState<TypingPresence>())
    .filter(([id]) => id !== userId && USER_ID.test(id))
    .slice(0, MAX_PEOPLE)
    .map(([id, presences]) => ({ id, isWriting: presences.some(({ writes }) => writes === true) }));
}

/** Enters the private channel of a record. */
export type PresenceJoin = (...given: Parameters<NearServer['join']>) => Promise<PresenceChannel>;

/** Who is near, over a private channel of each record. */
export function nearCalls(client: SupabaseClient): PresenceJoin {
  // The library hands out the channel of a name again while it is being left, and that one cannot be entered any more.
  let left: Promise<unknown> = Promise.resolve();
  return async ({ table, id }, userId, onPeople) => {
    await left;
    let writes = false;
    // Our server takes the key from the session; a hosted project takes this one.
    const config = { private: true, presence: { key: userId } };
    const channel = client.channel(`near:${table}:${id}`, { config });
    const say = () => void channel.track({ writes });
    channel
      .on('presence', { event: 'sync' }, () => onPeople(othersIn(channel, userId)))
      .subscribe((status: string) => {
        if (status === 'SUBSCRIBED') say();
        else onPeople([]);
      });
    return {
      say(isWriting) {
        if (writes === isWriting) return;
        writes = isWriting;
        if (channel.state === 'joined') say();
      },
      leave() {
        left = client.removeChannel(channel).catch(() => undefined);
      },
    };
  };
}
