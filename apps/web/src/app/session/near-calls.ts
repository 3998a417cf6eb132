import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import type { Near, NearPerson, NearServer } from '../../shared/near-server.ts';

type Said = { writes?: unknown };

/** Of all devices of a person one that writes is enough. */
function othersIn(channel: RealtimeChannel, userId: string): NearPerson[] {
  return Object.entries(channel.presenceState<Said>())
    .filter(([id]) => id !== userId)
    .map(([id, said]) => ({ id, isWriting: said.some(({ writes }) => writes === true) }));
}

/** Enters the private channel of a record. */
export type EnterNear = (...given: Parameters<NearServer['join']>) => Promise<Near>;

/** Who is near, over a private channel of each record. */
export function nearCalls(client: SupabaseClient): EnterNear {
  // The library hands out the channel of a name again while it is being left, and that one cannot be entered any more.
  let left: Promise<unknown> = Promise.resolve();
  return async ({ table, id }, userId, onPeople) => {
    await left;
    let writes = false;
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
