import type { SupabaseClient } from '@supabase/supabase-js';
import { Failure } from '@cairn/base/failure.ts';
import { ServerRefusal, type ServerCalls } from '../../../shared/server/server-calls.ts';

type ErrorBody = { code?: string; message?: string; hint?: string | null };

/** A 4xx with a code is the server's decision; anything else says nothing but that there was no answer. */
function thrown(what: string, status: number, { code, message, hint }: ErrorBody): Error {
  if (status === 401) return new Failure('signed_out', `${what}: 401`);
  const isDecision = (status >= 400 && status < 500 && status !== 408 && status !== 429) || code === 'P0001';
  if (isDecision && code) return new ServerRefusal(code, message ?? '', hint ?? null, status);
  return new Failure('offline', `${what}: ${status} ${code ?? ''}`);
}

async function refusedIn(response: Response | undefined): Promise<ErrorBody> {
  return ((await response?.json().catch(() => null)) as ErrorBody | null) ?? {};
}

/** Calls through the official client, with the token of whoever is signed in. */
export function serverCalls(client: SupabaseClient): ServerCalls {
  return {
    async call<A>(name: string, args: Record<string, unknown> = {}) {
      const { data, error, status } = await client.rpc(name, args);
      if (error) throw thrown(name, status, error);
      return data as A;
    },
    async rows<A>({ table, filter, newestBy }: Parameters<ServerCalls['rows']>[0]) {
      const query = client.from(table).select('*').match(filter).order(newestBy, { ascending: false }).limit(500);
      const { data, error, status } = await query;
      if (error) throw thrown(table, status, error);
      return data as A[];
    },
    async insert<A>(table: string, row: Record<string, unknown>) {
      const { data, error, status } = await client.from(table).insert(row).select().single();
      if (error) throw thrown(table, status, error);
      return data as A;
    },
    async send<A>(service: string, body: Record<string, unknown> | FormData) {
      const { data, error, response } = await client.functions.invoke<A>(service, { body });
      if (error || data === null) throw thrown(service, response?.status ?? 0, await refusedIn(response));
      return data;
    },
  };
}
