import type { SupabaseClient } from '@supabase/supabase-js';
import type { Context } from 'hono';

/** What the app of whoever sends a letter is set to; what their browser asks for where they never chose. */
export async function speaksGerman(c: Context, client: SupabaseClient): Promise<boolean> {
  const { data } = await client.from('user_preferences').select('language').maybeSingle<{ language: string }>();
  return (data?.language ?? c.req.header('Accept-Language') ?? '').trim().toLowerCase().startsWith('de');
}
