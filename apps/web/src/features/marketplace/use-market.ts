import { useCallback } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { allSent, PendingError } from '../../shared/sync/all-sent.ts';
import { refusalProblem } from '../../shared/server/refusal-problem.ts';
import { useServerCalls, type RowsQuery, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';
import { useWhenSent } from '../../shared/sync/use-when-sent.ts';

const KEY = 'marketplace';

/** What a company has of a pack; `variables` are the words that were filled in. */
export type Install = { id: string; version_id: string; variables: Record<string, string>; created_at: string };

function useRows<A>(wanted: RowsQuery, enabled = true) {
  const calls = useServerCalls();
  const { table, filter } = wanted;
  return useQuery({ queryKey: [KEY, table, filter], queryFn: () => calls.rows<A>(wanted), enabled });
}

/** Every pack the server shows the person, the newest first (R7.21): what is offered, what their organisation made or has. */
export const usePacks = () => useRows<Pack>({ table: 'policy_packs', filter: {}, newestBy: 'created_at' });

export const usePack = (id: string) => useRows<Pack>({ table: 'policy_packs', filter: { id }, newestBy: 'created_at' });

/** Versions of a pack with their contents, the newest first. */
export const useVersions = (packId: string) =>
  useRows<PackVersion>({ table: 'pack_versions', filter: { pack_id: packId }, newestBy: 'created_at' });

/** Versions that wait for a reviewer. */
export const useWaiting = (state: 'submitted' | 'in_review', enabled: boolean) =>
  useRows<PackVersion>({ table: 'pack_versions', filter: { state }, newestBy: 'submitted_at' }, enabled);

export const useInstalls = (organizationId: string, packId: string) =>
  useRows<Install>({
    table: 'pack_installs',
    filter: { organization_id: organizationId, pack_id: packId },
    newestBy: 'created_at',
  });

export const useOwnReview = (organizationId: string, packId: string) =>
  useRows<{ stars: number }>({
    table: 'pack_reviews',
    filter: { organization_id: organizationId, pack_id: packId },
    newestBy: 'created_at',
  });

const HINTS = [
  'variables',
  'changed',
  'gone',
  'pen',
  'state',
  'number',
  'note',
  'licence',
  'too_large',
  'too_deep',
  'too_many',
  'too_long',
  'too_complex',
  'filled',
  'shape',
  'key',
  'markup',
  'unknown_variable',
  'empty',
] as const;

/** Why the marketplace refused something. @throws what is a bug of ours */
export const marketProblem = (error: unknown) => refusalProblem(error, HINTS);
export type MarketProblem = ReturnType<typeof marketProblem>;

/** Says why the marketplace refused something. */
export function useMarketProblem(): (error: unknown) => string {
  const { t } = useTranslation('marketplace');
  return useCallback((error: unknown) => t(`problem.${marketProblem(error)}`), [t]);
}

/** After something was tried: reads the marketplace anew, and fetches to this device what came of it. */
export function useReadAnew(): (isDone: boolean) => Promise<void> {
  const { engine } = useSignedIn();
  const queries = useQueryClient();
  return useCallback(
    (isDone: boolean) => {
      if (isDone) engine.syncNow();
      // After a refusal too: what was seen is no longer what is there.
      return queries.invalidateQueries({ queryKey: [KEY] });
    },
    [engine, queries],
  );
}

/** Where it cannot be sent now, the server is asked all the same: refused words elsewhere are no reason to hold this back. */
async function sendFirst(engine: SyncEngine): Promise<void> {
  try {
    await allSent(engine);
  } catch (error) {
    if (!(error instanceof PendingError)) throw error;
  }
}

/**
 * Does something in the marketplace, reads anew what it changed, and fetches what came of it to this device. What was written here
 * goes first: the server may not know of the company yet.
 */
export function useMarketAct<Args extends unknown[]>(act: (calls: ServerCalls, ...args: Args) => Promise<unknown>) {
  const { run, ...rest } = useServerAct(useWhenSent(sendFirst, act), useMarketProblem());
  const readAnew = useReadAnew();
  const runAndRead = useCallback(
    async (...args: Args): Promise<boolean> => {
      const done = await run(...args);
      await readAnew(done !== null);
      return done !== null;
    },
    [readAnew, run],
  );
  return { run: runAndRead, ...rest };
}
