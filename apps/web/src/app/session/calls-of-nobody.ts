import { createClient } from '@supabase/supabase-js';
import { onlyOurAnswers } from '@cairn/sync/our-answers.ts';
import type { ServerCalls } from '../../shared/server-calls.ts';
import type { Config } from './config.ts';
import { serverCalls } from './server-calls.ts';

/** Calls without a token, for what is nobody's business to know who asked; nothing of them is kept. */
export function callsOfNobody({ backendUrl, publishableKey }: Config): ServerCalls {
  const auth = { storageKey: 'nobody', persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return serverCalls(createClient(backendUrl, publishableKey, { auth, global: { fetch: onlyOurAnswers(fetch) } }));
}
