import { useMemo, type ReactNode } from 'react';
import { NearServerContext, type PresenceChannel, type NearServer } from '../../../shared/server/near-server.ts';
import { PushServerContext, type PushServer } from '../../../shared/server/push-server.ts';
import { ServerCallsContext, type ServerCalls } from '../../../shared/server/server-calls.ts';
import { useSessionController } from '../session-context.tsx';

/** Hands the backend's calls, and its push messages for this browser, to the screens inside; the library is loaded with the first one. */
export function ServerCallsProvider({ children }: { children: ReactNode }) {
  const controller = useSessionController();
  const calls = useMemo((): ServerCalls => {
    const reached = async () => (await controller.reach()).calls;
    return {
      call: async (name, args) => (await reached()).call(name, args),
      rows: async wanted => (await reached()).rows(wanted),
      insert: async (table, row) => (await reached()).insert(table, row),
      send: async (service, body) => (await reached()).send(service, body),
    };
  }, [controller]);
  const pushServer = useMemo((): PushServer => {
    const push = async () => (await controller.reach()).push;
    return {
      key: async () => (await push()).key(),
      save: async address => (await push()).save(address),
      remove: async endpoint => (await push()).remove(endpoint),
    };
  }, [controller]);
  const nearServer = useMemo(
    (): NearServer => ({
      join(place, userId, onPeople) {
        let near: PresenceChannel | null = null;
        let writes = false;
        let isOver = false;
        const enter = async () => {
          const { near: enterNear } = await controller.reach();
          if (isOver) return;
          near = await enterNear(place, userId, people => !isOver && onPeople(people));
          if (isOver) near.leave();
          else near.say(writes);
        };
        // Nobody is near where the server cannot be reached.
        enter().catch(() => undefined);
        return {
          say(isWriting) {
            writes = isWriting;
            near?.say(isWriting);
          },
          leave() {
            isOver = true;
            near?.leave();
          },
        };
      },
    }),
    [controller],
  );
  return (
    <ServerCallsContext.Provider value={calls}>
      <PushServerContext.Provider value={pushServer}>
        <NearServerContext value={nearServer}>{children}</NearServerContext>
      </PushServerContext.Provider>
    </ServerCallsContext.Provider>
  );
}
