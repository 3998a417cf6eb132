import { BackendError, type Cursor, type PullAnswer, type PullRequest } from '@cairn/sync/transport/backend.ts';
import type { Platform } from '@cairn/sync/transport/platform.ts';
import { applied, opened, scripted, SCOPE, serverRow } from './scripted-server.ts';
import { actionId } from './store-contract.ts';

/** How far the one scope was read. */
export const cursor = (v: number): Record<string, Cursor> => ({ [SCOPE]: ['e', v, '~', actionId(0)] });

/** The page that brings row `n`, ends at version `n`, and says whether more follows. */
const pageOf = (n: number, more: boolean): Partial<PullAnswer> => ({
  scopes: cursor(n),
  order: [SCOPE],
  rows: { action_items: [serverRow(n, n)] },
  more,
});

/** A server whose pages a test sends by hand: their heads first, where it wants. */
export async function byHand(platform: Partial<Platform> = {}) {
  const server = scripted(applied);
  const asked: (PullRequest & { signal: AbortSignal; answer: PromiseWithResolvers<PullAnswer> })[] = [];
  server.backend.pull = (request, signal) => {
    const answer = Promise.withResolvers<PullAnswer>();
    asked.push({ ...request, signal, answer });
    return answer.promise;
  };
  const whole = (part: Partial<PullAnswer>) => ({ resets: [], stubs: {}, gone: [], now: '', ...part }) as PullAnswer;
  const device = await opened(server.backend, { platform });
  return {
    ...device,
    pushed: server.pushed,
    failures: server.failures,
    asked,
    head: (at: number, n: number, more: boolean) => asked[at]?.onHead?.({ scopes: cursor(n), more }),
    send: (at: number, n: number, more: boolean, part: Partial<PullAnswer> = {}) =>
      asked[at]?.answer.resolve(whole({ ...pageOf(n, more), ...part })),
    breakOff: (at: number) => asked[at]?.answer.reject(new BackendError('network', 'sync_pull: the answer broke off')),
    /** Until then what was asked for ahead belongs to no pull. */
    pulling: () => device.until(() => device.seen.status?.phase === 'pulling', 1),
    count: (many: number) => device.until(() => asked.length === many, 0),
  };
}
