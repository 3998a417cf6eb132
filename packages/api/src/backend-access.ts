import { createClient, type SupabaseClient } from '@supabase/supabase-js';

/** What a handler needs to speak to the backend it runs beside; the same on our server and on an edge function. */
export type BackendAccess = {
  url: string;
  publishableKey: string;
  secretKey: string;
  /** In-process on our server; the network elsewhere. */
  fetch?: typeof fetch;
  /** Public VAPID key, where this backend sends web push. */
  pushKey?: string;
  /** Where people open the app, without a slash at its end; `url` where it is left out. */
  site?: () => string;
  /** Where calendars read feeds, without a slash at its end; below the functions where it is left out. */
  calendarAddress?: () => string;
  /** Hands a mail to the mail server; rejects when it was not taken. Left out where this backend sends none. */
  sendMail?: (letter: { to: string; subject: string; text: string }) => Promise<void>;
};

function client({ url, fetch }: BackendAccess, key: string, headers: Record<string, string>): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: fetch ? { headers, fetch } : { headers },
  });
}

/** Sees and does what the caller may: row-level security decides. */
export const asCaller = (access: BackendAccess, authorization: string): SupabaseClient =>
  client(access, access.publishableKey, { Authorization: authorization });

/** Bypasses row-level security; only for steps that follow a check made as the caller. */
export const asServer = (access: BackendAccess): SupabaseClient => client(access, access.secretKey, {});

/** Somebody who is not signed in: to try a password. */
export const asVisitor = (access: BackendAccess): SupabaseClient => client(access, access.publishableKey, {});
