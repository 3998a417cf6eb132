import type { SupabaseClient } from '@supabase/supabase-js';
import type { UsageAnswer, UsageBatch } from '../../shared/analytics/usage-queue.ts';

/** SQLSTATEs of a row that will never be taken: its data, a constraint, a right. */
const FOR_GOOD = /^(22|23|42)/;

type Answer = { error: { code?: string } | null };

function answerOf({ error }: Answer): UsageAnswer {
  if (!error) return 'stored';
  return FOR_GOOD.test(error.code ?? '') ? 'refused' : 'unreachable';
}

/** Stores a batch; a row that is there already (a batch sent twice) is left as it is. Throws nothing. */
export async function storeUsage(client: SupabaseClient, { events, metrics }: UsageBatch): Promise<UsageAnswer> {
  const once = { onConflict: 'id', ignoreDuplicates: true };
  const sends = [
    ...(events.length > 0 ? [client.from('analytics_events').upsert(events, once)] : []),
    ...(metrics.length > 0 ? [client.from('analytics_metrics').upsert(metrics, once)] : []),
  ];
  const answers = (await Promise.all(sends)).map(answerOf);
  // What was stored is not stored again, so all of it may go a second time.
  return answers.find(answer => answer === 'unreachable') ?? answers.find(answer => answer === 'refused') ?? 'stored';
}
