import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '@cairn/base/failure.ts';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';

export type FeedKind = 'tasks' | 'day';

/** A feed as the server tells of it; instants in ISO 8601. */
export type CalendarFeed = { id: string; kind: FeedKind; renewed_at: string; read_at: string | null };

const KEY = ['calendar-feeds'];

/** The addresses at which calendars read what this person has to do. Online by nature: the server alone has them. */
export function useCalendarFeeds() {
  const calls = useServerCalls();
  return useQuery({ queryKey: KEY, queryFn: () => calls.call<CalendarFeed[]>('my_calendar_feeds') });
}

type FeedProblem = 'offline' | 'refused';

function problemOf(error: unknown): FeedProblem {
  if (error instanceof Failure) return 'offline';
  if (error instanceof ServerRefusal) return 'refused';
  throw error;
}

const make = (calls: ServerCalls, kind: FeedKind): Promise<{ address: string }> =>
  calls.send('calendar/make', { kind, zone: deviceZone() });

const revoke = (calls: ServerCalls, id: string): Promise<unknown> => calls.call('revoke_calendar_feed', { p_id: id });

/** Makes, renews and revokes addresses, and reads the list anew. An address is answered this once. */
export function useFeedActs() {
  const queries = useQueryClient();
  const making = useServerAct(make, problemOf);
  const revoking = useServerAct(revoke, problemOf);
  // What went wrong before says nothing of what was done since.
  const [last, setLast] = useState<'making' | 'revoking'>('making');
  const readAgain = () => queries.invalidateQueries({ queryKey: KEY });
  return {
    busy: making.busy || revoking.busy,
    problem: last === 'making' ? making.problem : revoking.problem,
    async make(kind: FeedKind): Promise<string | null> {
      setLast('making');
      const made = await making.run(kind);
      if (made) await readAgain();
      return made && made.answer.address;
    },
    async revoke(id: string): Promise<boolean> {
      setLast('revoking');
      const done = await revoking.run(id);
      if (done) await readAgain();
      return done !== null;
    },
  };
}
