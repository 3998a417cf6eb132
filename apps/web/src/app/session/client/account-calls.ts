import type { SupabaseClient } from '@supabase/supabase-js';
import { Failure } from '@cairn/base/failure.ts';
import type { AccountCalls, EndRefusal, ExportProgress } from '../auth/auth-gate.ts';

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

const EXPORT = 'account/export';
const REFUSALS: readonly string[] = ['wrong_password', 'too_many', 'last_admin'] satisfies EndRefusal['code'][];

/**
 * A person's own account through the official client. It hands out a function's bytes only when all of them are there, so
 * `counted`, around its fetch, is what sees them pass.
 */
export function openAccountCalls() {
  let watcher: (progress: ExportProgress) => void = () => undefined;
  return {
    counted:
      (ask: Fetch): Fetch =>
      async (input, init) => {
        const response = await ask(input, init);
        const isExport = typeof input === 'string' && input.endsWith(EXPORT) && response.ok;
        return isExport ? watched(response, watcher) : response;
      },
    through: (client: SupabaseClient): AccountCalls => ({
      exportMe(onProgress, signal) {
        watcher = onProgress;
        return exportMe(client, signal);
      },
      endAccount: password => endAccount(client, password),
    }),
  };
}

function watched(response: Response, onProgress: (progress: ExportProgress) => void): Response {
  const size = Number(response.headers.get('x-cairn-bytes') ?? 0);
  let done = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, next) {
      done += chunk.byteLength;
      onProgress({ done, size: Math.max(size, done) });
      next.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body?.pipeThrough(counter) ?? null, { status, headers });
}

async function exportMe(client: SupabaseClient, signal: AbortSignal): Promise<Blob> {
  const { data, error, response } = await client.functions.invoke<Blob>(EXPORT, { method: 'GET', signal });
  if (!error && data instanceof Blob) return data;
  signal.throwIfAborted();
  const code = response?.status === 401 ? 'signed_out' : 'offline';
  throw new Failure(code, `${EXPORT}: ${response?.status ?? 'no answer'}`);
}

async function endAccount(client: SupabaseClient, password: string): Promise<EndRefusal | null> {
  const body = { password, confirm: 'delete' };
  const { data, response } = await client.functions.invoke<{ deleted?: boolean }>('account/delete', { body });
  if (data?.deleted === true) return null;
  const refusal = (await response?.json().catch(() => null)) as { code?: string; names?: string } | null;
  if (refusal?.code !== undefined && REFUSALS.includes(refusal.code))
    return { code: refusal.code as EndRefusal['code'], names: refusal.names ?? '' };
  throw new Failure(
    response?.status === 401 ? 'signed_out' : 'offline',
    `account/delete: ${response?.status ?? 'no answer'}`,
  );
}
