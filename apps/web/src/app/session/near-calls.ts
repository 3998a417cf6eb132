import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import type { NearPerson, NearServer } from '../../shared/near-server.ts';

type Said = { writes?: unknown };

/** Of all devices of a person one that writes is enough. */
function othersIn(channel: RealtimeChannel, userId: string): NearPerson[] {
  return Object.entries(channel.presenceState<Said>())
    .filter(([id]) => id !== userId)
    .map(([id, said]) => ({ id, isWriting: said.some(({ writes }) => writes === true) }));
}

/** Who is near, over a private channel of each record. */
export function nearCalls(client: SupabaseClient): NearServer {
  // The library hands out the channel of a name again while it is being left, and that one cannot be entered any more.
  let left: Promise<unknown> = Promise.resolve();
  return {
    join({ table, id }, userId, onPeople) {
      let channel: RealtimeChannel | null = null;
      let writes = false;
      let isOver = false;
      const say = () => void channel?.track({ writes });
      const enter = () => {
        if (isOver) return;
        const config = { private: true, presence: { key: userId } };
        const entered = client.channel(`near:${table}:${id}`, { config });
        channel = entered;
        entered
          .on('presence', { event: 'sync' }, () => onPeople(othersIn(entered, userId)))
          .subscribe((status: string) => {
            if (status === 'SUBSCRIBED') say();
            else if (!isOver) onPeople([]);
          });
      };
      void left.then(enter);
      return {
        say(isWriting) {
          if (writes === isWriting) return;
          writes = isWriting;
          if (channel?.state === 'joined') say();
        },
        leave() {
          isOver = true;
          if (channel) left = client.removeChannel(channel).catch(() => undefined);
        },
      };
    },
  };
}
