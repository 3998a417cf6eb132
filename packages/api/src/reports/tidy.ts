import { Hono } from 'hono';
import { asServer, type BackendAccess } from '../backend-access.ts';
import { isServer } from '../is-server.ts';

/** Removes the bytes of photos that never became part of their report; answers how many it looked after. */
async function tidy(access: BackendAccess): Promise<number> {
  const server = asServer(access);
  const { data, error } = await server.rpc('orphaned_public_photos');
  if (error) throw error;
  const names = data as string[];
  if (names.length === 0) return 0;
  const removed = await server.storage.from('media').remove(names);
  if (removed.error) throw removed.error;
  // Forgotten only now: a removal that failed is tried again.
  const forgotten = await server.rpc('orphaned_public_photos', { p_removed: names });
  if (forgotten.error) throw forgotten.error;
  return names.length;
}

/** `POST /reports/tidy`, by whoever holds the server's key: once an hour is enough (docs/deploy-supabase.md). */
export function tidyRoute(access: BackendAccess): Hono {
  return new Hono().post('/tidy', async c => {
    if (!(await isServer(c.req.header('authorization'), access.secretKey)))
      return c.json({ code: 'not_allowed', message: 'Only the server itself tidies up' }, 403);
    return c.json({ tidied: await tidy(access) });
  });
}
