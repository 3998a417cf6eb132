import { useCallback } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '@cairn/base/failure.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';

/** A code as the server tells of it; instants in ISO 8601. */
export type ReportCode = {
  id: string;
  /** Neither site nor asset: it is for the whole organisation. */
  site_id: string | null;
  asset_id: string | null;
  spot: string | null;
  paused_at: string | null;
  paused_because: 'hand' | 'flood' | null;
  revoked_at: string | null;
  reports: number;
  last_report_at: string | null;
};
/** A code as it was made; its token is answered this once. */
export type MadeCode = { id: string; token: string };

const KEY = 'report-codes';
const isLive = ({ revoked_at: revoked }: ReportCode): boolean => revoked === null;

/** The codes of an organisation that were not taken back, the newest first. Online by nature: the server alone has them. */
export function useReportCodes(organizationId: string) {
  const calls = useServerCalls();
  return useQuery({
    queryKey: [KEY, organizationId],
    queryFn: async () => {
      const filter = { organization_id: organizationId };
      const rows = await calls.rows<ReportCode>({ table: 'report_codes', filter, newestBy: 'created_at' });
      return rows.filter(isLive);
    },
  });
}

export type CodeProblem = 'offline' | 'notAllowed' | 'refused';

function problemOf(error: unknown): CodeProblem {
  if (error instanceof Failure) return 'offline';
  if (error instanceof ServerRefusal) return error.code === '42501' ? 'notAllowed' : 'refused';
  throw error;
}

/** Does something with codes on the server, then reads the list anew; null where it was not done. */
export function useCodeAction<Args extends unknown[], A>(act: (calls: ServerCalls, ...args: Args) => Promise<A>) {
  const queries = useQueryClient();
  const { run, ...rest } = useServerAct(act, problemOf);
  const runAndRead = useCallback(
    async (...args: Args): Promise<A | null> => {
      const done = await run(...args);
      if (done) await queries.invalidateQueries({ queryKey: [KEY] });
      return done && done.answer;
    },
    [run, queries],
  );
  return { run: runAndRead, ...rest };
}

type Wish = { organizationId: string; siteId: string | null; assetId: string | null; spot: string };

export const makeCode = (calls: ServerCalls, { organizationId, siteId, assetId, spot }: Wish): Promise<MadeCode> =>
  calls.call('create_report_code', {
    p_organization: organizationId,
    p_site: siteId,
    p_asset: assetId,
    p_spot: spot.trim() || null,
  });

export const rotateCode = (calls: ServerCalls, id: string): Promise<MadeCode> =>
  calls.call('rotate_report_code', { p_id: id });

export const pauseCode = (calls: ServerCalls, id: string, isPaused: boolean): Promise<unknown> =>
  calls.call('pause_report_code', { p_id: id, p_paused: isPaused });

export const revokeCode = (calls: ServerCalls, id: string): Promise<unknown> =>
  calls.call('revoke_report_code', { p_id: id });
