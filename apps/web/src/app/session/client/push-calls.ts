import type { SupabaseClient } from '@supabase/supabase-js';
import { Failure } from '@cairn/base/failure.ts';
import type { PushServer } from '../../../shared/server/push-server.ts';

/** Push subscriptions over supabase-js. */
export function pushCalls(client: SupabaseClient): PushServer {
  const call = async (name: string, args: Record<string, string>) => {
    const { error } = await client.rpc(name, args);
    if (error) throw new Failure(error.code ? 'not_allowed' : 'offline', `${name}: ${error.code}`);
  };
  return {
    async key() {
      const { data, error, response } = await client.functions.invoke<{ key?: unknown }>('notifications/push-key', {
        method: 'GET',
      });
      if (response?.status === 404) return null;
      if (error) throw new Failure('offline', 'push-key: no answer', { cause: error });
      return typeof data?.key === 'string' ? data.key : null;
    },
    save: ({ endpoint, p256dh, auth }) =>
      call('save_push_subscription', { p_endpoint: endpoint, p_p256dh: p256dh, p_auth: auth }),
    remove: endpoint => call('remove_push_subscription', { p_endpoint: endpoint }),
  };
}
