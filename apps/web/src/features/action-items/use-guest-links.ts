import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinkEndReason } from '@cairn/core/guests/guest-reply.ts';
import { refusalProblem } from '../../shared/server/refusal-problem.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';

/** Somebody outside who was given an action item, as the server keeps it. Days are YYYY-MM-DD, instants ISO 8601. */
export type GuestLink = {
  id: string;
  name: string;
  /** Null for whoever may not give the item. */
  email: string | null;
  until: string;
  /** The guest's last word. */
  state: 'given' | 'accepted' | 'declined' | 'done';
  status: 'open' | LinkEndReason;
  /** Who gave it; null when their account has ended. */
  by: string | null;
  created_at: string;
  sent_at: string;
  /** When it was opened first, and last. */
  opened_at: string | null;
  seen_at: string | null;
};

export type GuestLinks = { may_give: boolean; links: GuestLink[] };

/** What a letter's making answers; the token this once. */
export type MadeLink = { id: string; token: string; email: string; mailed: boolean };

const keyOf = (actionId: string) => ['guest-links', actionId];

/**
 * Who outside was given this action item. Online only: addresses of others lie on no device.
 *
 * @param version of the item: with each change it is asked for anew
 */
export function useGuestLinks(actionId: string, version: number) {
  const calls = useServerCalls();
  return useQuery({
    queryKey: [...keyOf(actionId), version],
    queryFn: () => calls.call<GuestLinks>('action_guest_links', { p_action: actionId }),
  });
}

/** Does something about a link on the server, says what went wrong, and has the list asked for anew. */
export function useGuestAct<Args extends unknown[], A>(
  actionId: string,
  act: (calls: ServerCalls, ...args: Args) => Promise<A>,
) {
  const { t } = useTranslation('actions');
  const queries = useQueryClient();
  const say = useCallback((error: unknown) => t(`guest.problem.${problemOf(error)}`), [t]);
  const done = useCallback(
    async (calls: ServerCalls, ...args: Args) => {
      const answer = await act(calls, ...args);
      await queries.invalidateQueries({ queryKey: keyOf(actionId) });
      return answer;
    },
    [act, queries, actionId],
  );
  return useServerAct(done, say);
}

function problemOf(error: unknown) {
  // The service tells of the limit by the code in its answer.
  if (error instanceof ServerRefusal && error.code === 'PT429') return 'tooMany';
  return refusalProblem(error, ['person', 'until', 'other', 'state']);
}
